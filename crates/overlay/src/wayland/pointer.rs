//! The mouse: what it does to a panel, told as clicks, ways and drags.

use smithay_client_toolkit::seat::pointer::{
    BTN_LEFT, BTN_RIGHT, CursorIcon, PointerEvent, PointerEventKind, PointerHandler, ThemeSpec,
    ThemedPointer,
};
use wayland_client::protocol::wl_pointer::WlPointer;
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_client::{Connection, QueueHandle};

use super::panels::Spot;
use super::state::State;
use crate::desktop::{Button, Gesture, Happened, PanelId};
use crate::geometry::Rect;

#[derive(Default)]
pub(super) struct Pointer {
    seats: Vec<(WlSeat, ThemedPointer)>,
    gesture: Gesture,
    /// The button that the gesture began with.
    pressed: Option<u32>,
}

impl Pointer {
    pub(super) fn forget(&mut self, panel: PanelId) {
        self.gesture.forget(panel);
        if self.gesture.panel().is_none() {
            self.pressed = None;
        }
    }

    pub(super) fn remove_seat(&mut self, seat: &WlSeat) {
        self.seats.retain(|(known, _)| known != seat);
    }

    /// Without this the shape of the window below would stay: a text cursor over a creature. A theme may have none.
    fn show(&self, connection: &Connection, pointer: &WlPointer) {
        let themed = self
            .seats
            .iter()
            .find(|(_, themed)| themed.pointer() == pointer);
        if let Some((_, themed)) = themed {
            let _ = themed.set_cursor(connection, CursorIcon::Default);
        }
    }
}

impl State {
    pub(super) fn add_pointer(&mut self, queue: &QueueHandle<Self>, seat: WlSeat) {
        let cursor = self.offered.compositor.create_surface(queue);
        let shm = self.offered.shm.wl_shm();
        let theme = ThemeSpec::System;
        let pointer = self
            .seats
            .get_pointer_with_theme::<_, ()>(queue, &seat, shm, cursor, theme);
        if let Ok(pointer) = pointer {
            self.pointer.remove_seat(&seat);
            self.pointer.seats.push((seat, pointer));
        }
    }

    fn came(&mut self, event: &PointerEvent) {
        let spot = self.panels.spot(&event.surface, event.position);
        match (&event.kind, spot) {
            (PointerEventKind::Enter { .. } | PointerEventKind::Motion { .. }, Some(spot)) => {
                self.moved(&spot);
            }
            (PointerEventKind::Leave { .. }, Some(spot)) => self.left(spot.panel),
            (PointerEventKind::Press { button, .. }, Some(spot)) => self.pressed(*button, &spot),
            (PointerEventKind::Press { .. }, None) => self.pressed_beside(&event.surface),
            (PointerEventKind::Release { button, .. }, _) => self.released(*button),
            _ => {}
        }
    }

    fn moved(&mut self, spot: &Spot) {
        let held = self.pointer.gesture.panel();
        if held == Some(spot.panel) {
            let dragged = self.pointer.gesture.moved(spot.on_screen);
            let kept = dragged.and_then(|news| self.kept_on_screen(news));
            self.tell(kept);
        } else if held.is_none() && self.follows(spot.panel) {
            let Spot { panel, at, .. } = *spot;
            self.tell([Happened::Hovered { panel, at }]);
        }
    }

    /// A panel stays on its screen, wherever the pointer goes.
    fn kept_on_screen(&self, news: Happened) -> Option<Happened> {
        let Happened::Dragged { panel, to } = news else {
            return Some(news);
        };
        let known = self.panels.get(panel)?;
        let room = self.screens.screen(known.screen())?.work;
        let size = known.area().size;
        let to = Rect { at: to, size }.kept_within(room).at;
        Some(Happened::Dragged { panel, to })
    }

    fn left(&mut self, panel: PanelId) {
        if self.follows(panel) {
            self.tell([Happened::Left { panel }]);
        }
    }

    fn pressed(&mut self, code: u32, spot: &Spot) {
        let button = match code {
            BTN_LEFT => Button::Left,
            BTN_RIGHT => Button::Right,
            _ => return,
        };
        if self.pointer.pressed.is_some() {
            return;
        }
        self.pointer.pressed = Some(code);
        let Spot {
            panel,
            at,
            on_screen,
        } = *spot;
        self.pointer.gesture.press(panel, at, on_screen, button);
        if let Some(panel) = self.panels.get_mut(panel) {
            panel.hold();
        }
    }

    fn pressed_beside(&mut self, surface: &WlSurface) {
        if self.shades.has(surface) {
            self.tell([Happened::ClickedElsewhere]);
        }
    }

    fn released(&mut self, code: u32) {
        if self.pointer.pressed != Some(code) {
            return;
        }
        self.pointer.pressed = None;
        let panel = self.pointer.gesture.panel();
        let panel = panel.and_then(|panel| self.panels.get_mut(panel));
        if let Some(panel) = panel {
            panel.let_go(&self.offered);
        }
        let news = self.pointer.gesture.release();
        self.tell(news);
    }

    fn follows(&self, panel: PanelId) -> bool {
        self.panels
            .get(panel)
            .is_some_and(super::panel::Panel::follows)
    }
}

impl PointerHandler for State {
    fn pointer_frame(
        &mut self,
        connection: &Connection,
        _: &QueueHandle<Self>,
        pointer: &WlPointer,
        events: &[PointerEvent],
    ) {
        for event in events {
            if matches!(event.kind, PointerEventKind::Enter { .. }) {
                self.pointer.show(connection, pointer);
            }
            self.came(event);
        }
    }
}
