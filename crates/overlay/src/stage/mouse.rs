//! What the mouse does, and what it means.

use std::time::Instant;

use super::actor::Spot;
use super::arrange::gap;
use super::{Over, Stage};
use crate::desktop::{Button, Desktop, DesktopError, Happened, PanelId};
use crate::drawn::Deed as Button_;
use crate::geometry::{Point, Rect};
use crate::layout;
use crate::link::Deed;

impl<D: Desktop> Stage<D> {
    pub(super) fn meet(&mut self, happened: Happened) -> Result<(), DesktopError> {
        match happened {
            Happened::Clicked { panel, at, button } => self.clicked(panel, at, button),
            Happened::Hovered { panel, at } => self.hovered(panel, Some(at)),
            Happened::Left { panel } => self.hovered(panel, None),
            Happened::Dragged { panel, to } => self.drag(panel, to),
            Happened::Dropped { panel } => {
                self.drop_there(panel);
                Ok(())
            }
            Happened::ClickedElsewhere => self.close_offer(),
            Happened::Lost { panel } => self.redraw(panel),
            Happened::ScreensChanged => self.begin_anew(),
            Happened::Hidden { screen, hidden } => {
                self.set_hidden(screen, hidden);
                Ok(())
            }
            Happened::Ended => {
                self.over = Some(Over::NoDesktop);
                Ok(())
            }
        }
    }

    fn set_hidden(&mut self, screen: String, hidden: bool) {
        if hidden {
            self.hidden_screens.insert(screen);
            return;
        }
        // What has changed meanwhile was not drawn.
        for actor in self
            .actors
            .values_mut()
            .filter(|actor| actor.spot.screen == screen)
        {
            actor.is_stale = true;
        }
        self.speeches
            .values_mut()
            .for_each(|speech| speech.is_stale = true);
        self.hidden_screens.remove(&screen);
        self.is_dirty = true;
    }

    fn clicked(&mut self, panel: PanelId, at: Point, button: Button) -> Result<(), DesktopError> {
        if self
            .offer
            .as_ref()
            .is_some_and(|offer| offer.panel == panel)
        {
            return self.choose(at);
        }
        self.close_offer()?;
        if let Some(id) = self.actor_of(panel) {
            let spot = self.actors[&id].spot.clone();
            match button {
                Button::Left => self.open_session(&id),
                Button::Right => self.open_offer(&id, &spot.screen, spot.area.at.plus(at))?,
            }
        } else if let Some(id) = self.speaker(panel) {
            let deed = self.speeches[&id].shown.deed_at(at);
            self.press(&id, deed);
        } else if self.more.as_ref().is_some_and(|more| more.panel == panel) {
            self.open_page();
        }
        Ok(())
    }

    /// A click on a bubble: on one of its buttons, or on what it says.
    fn press(&mut self, id: &str, button: Option<Button_>) {
        let answer = |request| match button {
            Some(Button_::Allow) => Deed::Allow { request },
            _ => Deed::Deny { request },
        };
        match button {
            Some(Button_::Terminal) => self.go_to_terminal(id),
            Some(button) => {
                if let Some(request) = self.begin_answer(id, button) {
                    self.deeds.begin(answer(request), Some(id));
                }
            }
            None => self.open_session(id),
        }
    }

    fn hovered(&mut self, panel: PanelId, at: Option<Point>) -> Result<(), DesktopError> {
        if self
            .offer
            .as_ref()
            .is_some_and(|offer| offer.panel == panel)
        {
            return self.hover_offer(at);
        }
        if let Some(id) = self.speaker(panel) {
            self.hover_speech(&id, at);
        }
        Ok(())
    }

    fn actor_of(&self, panel: PanelId) -> Option<String> {
        let found = self
            .actors
            .iter()
            .find(|(_, actor)| actor.panel == panel && !actor.leaves);
        found.map(|(id, _)| id.clone())
    }

    /// Draws a creature along. What it says goes until it is let go.
    fn drag(&mut self, panel: PanelId, to: Point) -> Result<(), DesktopError> {
        let Some(id) = self.actor_of(panel) else {
            return Ok(());
        };
        if self.dragged != Some(panel) {
            self.dragged = Some(panel);
            self.is_dirty = true;
        }
        let joins = self.desktop.joins_screens();
        let spot = &self.actors[&id].spot;
        let wanted = Rect {
            at: to,
            size: spot.area.size,
        };
        let Some(screen) = self.screen(&spot.screen).cloned() else {
            return Ok(());
        };
        let spot = if joins {
            self.across(&screen.area, wanted)
        } else {
            None
        };
        let spot = spot.unwrap_or_else(|| Spot {
            area: wanted.kept_within(screen.work),
            screen: screen.name.clone(),
        });
        self.desktop.place(panel, &spot.screen, spot.area)?;
        if let Some(actor) = self.actors.get_mut(&id) {
            actor.spot = spot;
        }
        Ok(())
    }

    /// The same place on the screen that its middle is on.
    fn across(&self, from: &Rect, wanted: Rect) -> Option<Spot> {
        let everywhere = wanted.moved(from.at);
        let mut screens = self.desktop.screens().iter();
        let screen = screens.find(|screen| screen.area.contains(everywhere.centre()))?;
        // Its size is set when it is let go; here it only follows the hand.
        let area = everywhere.moved(Point::default().minus(screen.area.at));
        Some(Spot {
            area: area.kept_within(screen.work),
            screen: screen.name.clone(),
        })
    }

    /// Lets it go: there it stays, or back in the dock if it was drawn there.
    fn drop_there(&mut self, panel: PanelId) {
        self.dragged = None;
        self.is_dirty = true;
        let Some(id) = self.actor_of(panel) else {
            return;
        };
        let (Some(agent), Some(actor)) = (self.flock.agent(&id), self.actors.get_mut(&id)) else {
            return;
        };
        let (project, is_child) = (agent.project().to_owned(), agent.parent_id.is_some());
        actor.stir(Instant::now());
        // It is placed anew, in the size of the screen that it has come to.
        let spot = std::mem::replace(
            &mut actor.spot,
            Spot {
                screen: String::new(),
                area: Rect::default(),
            },
        );
        let is_home = self.is_in_dock(&spot);
        if is_child {
            if is_home {
                self.apart.remove(&id);
            } else {
                self.apart.insert(id, spot);
            }
        } else if is_home {
            let kept = self.places.forget(&project);
            self.note(kept);
        } else if let Some(screen) = self.screen(&spot.screen).cloned() {
            let kept = self.places.put(&project, &screen, spot.area);
            self.note(kept);
        }
    }

    /// Whether something stands where the flock does.
    fn is_in_dock(&self, spot: &Spot) -> bool {
        let Some(home) = self.home_screen().filter(|home| home.name == spot.screen) else {
            return false;
        };
        let others = self.actors.keys().filter(|id| self.is_docked(id)).count();
        let cells = layout::docked(
            self.settings.settings.place,
            home.work,
            self.size_on(home),
            gap(home),
            others.max(1),
        );
        cells.iter().any(|cell| cell.contains(spot.area.centre()))
    }
}
