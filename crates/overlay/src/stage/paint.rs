//! Sends what has changed to the screen.

use super::Stage;
use super::arrange::gap;
use crate::desktop::{Catch, Desktop, DesktopError, PanelId, Screen};
use crate::drawn::Badge;
use crate::geometry::{Point, Rect};
use crate::layout;
use crate::picture::Picture;

/// The number of those that are not shown.
pub(super) struct More {
    pub panel: PanelId,
    count: usize,
    cell: Rect,
    picture: Picture,
}

impl<D: Desktop> Stage<D> {
    /// Draws every creature and bubble whose picture has changed.
    pub(super) fn paint(&mut self) -> Result<(), DesktopError> {
        let (desktop, hidden) = (&mut self.desktop, &self.hidden_screens);
        for actor in self.actors.values_mut().filter(|actor| actor.is_stale) {
            if hidden.contains(&actor.spot.screen) {
                continue;
            }
            actor.is_stale = false;
            desktop.draw(actor.panel, &actor.picture())?;
        }
        Ok(())
    }

    /// Says where a creature catches the mouse.
    pub(super) fn catch(&mut self, id: &str) -> Result<(), DesktopError> {
        let Some(actor) = self.actors.get(id) else {
            return Ok(());
        };
        let shape = actor.outline();
        let catch = Catch {
            shape: &shape,
            follows: false,
        };
        self.desktop.catch(actor.panel, catch)
    }

    /// Shows how many there are that are not shown, behind the last one in the dock.
    pub(super) fn show_more(&mut self, count: usize, screen: &Screen) -> Result<(), DesktopError> {
        if count == 0 {
            return self.show_none_more();
        }
        let docked = self.actors.keys().filter(|id| self.is_docked(id)).count();
        let (place, size) = (self.settings.settings.place, self.size_on(screen));
        let cell = layout::docked(place, screen.work, size, gap(screen), docked + 1).pop();
        let cell = cell.unwrap_or_default();
        if self
            .more
            .as_ref()
            .is_some_and(|more| more.count == count && more.cell == cell)
        {
            return Ok(());
        }
        self.show_none_more()?;
        let picture = Badge::More(u32::try_from(count).unwrap_or(u32::MAX))
            .draw(&mut self.look(screen.scale));
        let middle = Point::new(half(picture.size.width), half(picture.size.height));
        let area = Rect {
            at: cell.centre().minus(middle),
            size: picture.size,
        };
        let panel = self.new_panel();
        self.desktop
            .place(panel, &screen.name, area.kept_within(screen.work))?;
        let catch = Catch {
            shape: &picture.shape(),
            follows: false,
        };
        self.desktop.catch(panel, catch)?;
        self.desktop.draw(panel, &picture)?;
        self.more = Some(More {
            panel,
            count,
            cell,
            picture,
        });
        Ok(())
    }

    /// Whether it stands where all do that nobody has put elsewhere.
    pub(super) fn is_docked(&self, id: &str) -> bool {
        let project = self.flock.agent(id).map_or("", |agent| agent.project());
        !self.apart.contains_key(id)
            && self
                .places
                .find(
                    project,
                    crate::geometry::Size::default(),
                    self.desktop.screens(),
                )
                .is_none()
    }

    pub(super) fn show_none_more(&mut self) -> Result<(), DesktopError> {
        match self.more.take() {
            Some(more) => self.desktop.remove(more.panel),
            None => Ok(()),
        }
    }

    /// Draws again what the window system has lost.
    pub(super) fn redraw(&mut self, panel: PanelId) -> Result<(), DesktopError> {
        if let Some(actor) = self.actors.values_mut().find(|actor| actor.panel == panel) {
            actor.is_stale = true;
            return Ok(());
        }
        let speech = self
            .speeches
            .values()
            .chain(&self.lost_speech)
            .find(|speech| speech.panel == panel);
        if let Some(speech) = speech {
            return self.desktop.draw(panel, &speech.shown.picture);
        }
        if let Some(offer) = self.offer.as_ref().filter(|offer| offer.panel == panel) {
            return self.desktop.draw(panel, &offer.shown.picture);
        }
        if let Some(more) = self.more.as_ref().filter(|more| more.panel == panel) {
            return self.desktop.draw(panel, &more.picture);
        }
        Ok(())
    }
}

fn half(length: u32) -> i32 {
    i32::try_from(length / 2).unwrap_or(i32::MAX)
}
