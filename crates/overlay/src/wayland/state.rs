//! All that the connection's events change.

use smithay_client_toolkit::output::OutputState;
use smithay_client_toolkit::registry::RegistryState;
use smithay_client_toolkit::seat::SeatState;
use wayland_client::QueueHandle;
use wayland_client::globals::GlobalList;

use super::offered::Offered;
use super::panels::Panels;
use super::pointer::Pointer;
use super::screens::Screens;
use super::shade::Shades;
use super::sight::Sight;
use crate::desktop::{DesktopError, Happened};

pub(super) struct State {
    pub(super) registry: RegistryState,
    pub(super) seats: SeatState,
    pub(super) outputs: OutputState,
    pub(super) offered: Offered,
    pub(super) screens: Screens,
    pub(super) panels: Panels,
    pub(super) shades: Shades,
    pub(super) pointer: Pointer,
    pub(super) sight: Sight,
    happened: Vec<Happened>,
}

impl State {
    pub(super) fn new(
        globals: &GlobalList,
        queue: &QueueHandle<Self>,
    ) -> Result<Self, DesktopError> {
        Ok(Self {
            offered: Offered::bind(globals, queue)?,
            registry: RegistryState::new(globals),
            seats: SeatState::new(globals, queue),
            outputs: OutputState::new(globals, queue),
            screens: Screens::default(),
            panels: Panels::default(),
            shades: Shades::default(),
            pointer: Pointer::default(),
            sight: Sight::default(),
            happened: Vec::new(),
        })
    }

    /// Notes what happened. Of a pointer's way over one panel only the end counts.
    pub(super) fn tell(&mut self, news: impl IntoIterator<Item = Happened>) {
        for news in news {
            self.note(news);
        }
    }

    fn note(&mut self, news: Happened) {
        use Happened::{Dragged, Hovered};
        let is_same_way = match (self.happened.last(), &news) {
            (Some(Hovered { panel: old, .. }), Hovered { panel, .. })
            | (Some(Dragged { panel: old, .. }), Dragged { panel, .. }) => old == panel,
            _ => false,
        };
        if is_same_way {
            self.happened.pop();
        }
        self.happened.push(news);
    }

    pub(super) fn happened(&mut self) -> Vec<Happened> {
        std::mem::take(&mut self.happened)
    }

    /// Draws the conclusions of a batch of events or requests.
    pub(super) fn settle(&mut self) -> Result<(), DesktopError> {
        if self.screens.refresh() {
            if self.shades.are_up() {
                self.shades.raise(&self.offered, &self.screens);
            }
            self.tell([Happened::ScreensChanged]);
        }
        self.panels.settle(&self.offered)?;
        self.shades.settle(&self.offered, &self.panels)?;
        let hidden = self.sight.look(&self.panels);
        self.tell(hidden);
        Ok(())
    }

    /// Drops what is on a screen that has gone.
    pub(super) fn drop_screen(&mut self, screen: &str) {
        for panel in self.panels.drop_on(screen) {
            self.pointer.forget(panel);
        }
        self.sight.forget(screen);
    }
}
