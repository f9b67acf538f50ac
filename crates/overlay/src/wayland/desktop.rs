//! The stage's requests, as the compositor understands them.

use std::os::fd::BorrowedFd;
use std::time::Duration;

use super::connection::Wayland;
use super::face::Ground;
use super::panel::Panel;
use crate::desktop::{Catch, Desktop, DesktopError, Happened, PanelId, Screen};
use crate::geometry::Rect;
use crate::picture::Picture;

/// [`Screen::area`] and [`Screen::work`] are the same here: what bars leave of an output is all that we know of it.
impl Desktop for Wayland {
    fn screens(&self) -> &[Screen] {
        self.state.screens.known()
    }

    fn stands_still(&self) -> bool {
        false
    }

    fn joins_screens(&self) -> bool {
        false
    }

    /// On a screen that has gone it is dropped; that its screen has gone is told by [`Happened::ScreensChanged`].
    fn place(&mut self, panel: PanelId, screen: &str, area: Rect) -> Result<(), DesktopError> {
        self.state.shades.panels_changed();
        let state = &mut self.state;
        let Some(output) = state.screens.named(screen) else {
            return self.remove(panel);
        };
        if let Some(known) = state.panels.get_mut(panel)
            && known.screen() == screen
            && known.scale() == output.scale()
        {
            known.place(&state.offered, output.handle(), area);
            return Ok(());
        }
        let ground = Ground {
            output: output.handle(),
            scale: output.scale(),
            layer: state.shades.layer(),
        };
        let mut new = Panel::new(&state.offered, screen, ground, area);
        if let Some(old) = state.panels.remove(panel) {
            new.inherit(&state.offered, old);
            state.pointer.forget(panel);
        }
        state.panels.insert(panel, new);
        Ok(())
    }

    fn draw(&mut self, panel: PanelId, picture: &Picture) -> Result<(), DesktopError> {
        match self.state.panels.get_mut(panel) {
            Some(panel) => panel.draw(&self.state.offered, picture),
            None => Ok(()),
        }
    }

    fn catch(&mut self, panel: PanelId, catch: Catch<'_>) -> Result<(), DesktopError> {
        if let Some(panel) = self.state.panels.get_mut(panel) {
            panel.catch(&self.state.offered, catch);
            self.state.shades.panels_changed();
        }
        Ok(())
    }

    fn remove(&mut self, panel: PanelId) -> Result<(), DesktopError> {
        self.state.panels.remove(panel);
        self.state.pointer.forget(panel);
        self.state.shades.panels_changed();
        Ok(())
    }

    fn grab(&mut self, on: bool) -> Result<(), DesktopError> {
        let state = &mut self.state;
        match on {
            true if state.shades.are_up() => {}
            true => state.shades.raise(&state.offered, &state.screens),
            false => {
                state.shades.drop_all();
                // What came beside the menu stays no longer above full-screen windows.
                state.panels.put_all_on(state.shades.layer());
            }
        }
        Ok(())
    }

    fn wait(
        &mut self,
        others: &[BorrowedFd<'_>],
        at_most: Option<Duration>,
    ) -> Result<Vec<Happened>, DesktopError> {
        self.wait_for(others, at_most)
    }
}
