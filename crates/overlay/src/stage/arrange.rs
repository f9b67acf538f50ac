//! Who is shown, and where each stands.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use bellwether_creature::{Age, Pose};

use super::actor::{Actor, Guise, Spot};
use super::{Stage, wall_ms};
use crate::desktop::{Desktop, DesktopError, Screen};
use crate::flock::Agent;
use crate::frames::Sight;
use crate::geometry::Size;
use crate::layout;

/// Between creatures, on a plain screen.
const GAP: f32 = 8.0;

impl<D: Desktop> Stage<D> {
    /// Puts everybody where they belong.
    pub(super) fn arrange(&mut self, now: Instant) -> Result<(), DesktopError> {
        self.end_old_speeches();
        let Some(home) = self.home_screen().cloned() else {
            return self.clear();
        };
        let most = self.settings.settings.most.max(1);
        let shown = self.flock.shown(self.places.hidden(), most, wall_ms());
        let (agents, more) = (
            shown
                .agents
                .into_iter()
                .map(str::to_owned)
                .collect::<Vec<_>>(),
            shown.more,
        );
        let spots = self.spots(&agents, more, &home);
        // Small screens have room for fewer than are wanted.
        let without = agents.len() - agents.iter().filter(|id| spots.contains_key(*id)).count();
        self.remove_others(&spots)?;
        for (id, spot) in &spots {
            self.set_actor(id, spot.clone(), now)?;
        }
        self.show_more(more + without, &home)?;
        self.speak(now)
    }

    /// Where each of these stands.
    fn spots(&self, agents: &[String], more: usize, home: &Screen) -> BTreeMap<String, Spot> {
        let screens = self.desktop.screens();
        let mut spots = BTreeMap::new();
        let mut beside: BTreeMap<&str, usize> = BTreeMap::new();
        let mut docked = Vec::new();
        for id in agents {
            let Some(agent) = self.flock.agent(id) else {
                continue;
            };
            let apart = self
                .apart
                .get(id)
                .filter(|spot| screens.iter().any(|screen| screen.name == spot.screen));
            let put = self
                .places
                .find(agent.project(), self.size_on(home), screens);
            let spot = match (apart, put) {
                (Some(spot), _) => spot.clone(),
                (None, Some((screen, first))) => {
                    let index = beside
                        .entry(agent.project())
                        .and_modify(|index| *index += 1)
                        .or_insert(0);
                    let area = match index.checked_sub(1) {
                        Some(index) => layout::beside(first, index, screen.work, gap(screen)),
                        None => first,
                    };
                    Spot {
                        screen: screen.name.clone(),
                        area,
                    }
                }
                (None, None) => {
                    docked.push(id);
                    continue;
                }
            };
            spots.insert(id.clone(), spot);
        }
        let cells = docked.len() + usize::from(more > 0);
        let areas = layout::docked(
            self.settings.settings.place,
            home.work,
            self.size_on(home),
            gap(home),
            cells,
        );
        // The last cell is for the number of those who are not shown.
        let last = areas.len() - usize::from(more > 0 || areas.len() < cells).min(areas.len());
        spots.extend(
            docked
                .into_iter()
                .zip(areas.into_iter().take(last.max(1)))
                .map(|(id, area)| {
                    let screen = home.name.clone();
                    (id.clone(), Spot { screen, area })
                }),
        );
        spots
    }

    /// How large a creature is on a screen.
    pub(super) fn size_on(&self, screen: &Screen) -> Size {
        let width = f32::from(self.settings.settings.size.clamp(64, 128)) * screen.scale;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a few hundred"
        )]
        Sight::size(width.round() as u32, screen.scale.round() as u32)
    }

    fn remove_others(&mut self, shown: &BTreeMap<String, Spot>) -> Result<(), DesktopError> {
        let is_shown = |id: &String, actor: &Actor| {
            shown.contains_key(id) || actor.leaves && self.flock.agent(id).is_some()
        };
        let gone = self
            .actors
            .iter()
            .filter(|(id, actor)| !is_shown(id, actor));
        let gone: Vec<String> = gone.map(|(id, _)| id.clone()).collect();
        for id in gone {
            if let Some(actor) = self.actors.remove(&id) {
                self.desktop.remove(actor.panel)?;
            }
            self.silence(&id)?;
        }
        Ok(())
    }

    fn set_actor(&mut self, id: &str, spot: Spot, now: Instant) -> Result<(), DesktopError> {
        let Some(agent) = self.flock.agent(id) else {
            return Ok(());
        };
        let guise = self.guise(agent, spot.area.size);
        let room = self.room.clone();
        if let Some(actor) = self.actors.get_mut(id) {
            if !actor.leaves {
                let before = actor.sight().pose;
                actor.pose(guise, &room, now);
                let is_new_pose = before != guise.pose;
                let (panel, is_dragged) = (actor.panel, self.dragged == Some(actor.panel));
                if actor.spot != spot && !is_dragged {
                    actor.is_stale |=
                        actor.spot.area.size != spot.area.size || actor.spot.screen != spot.screen;
                    actor.spot = spot.clone();
                    self.desktop.place(panel, &spot.screen, spot.area)?;
                }
                if is_new_pose {
                    self.catch(id)?;
                }
            }
            return Ok(());
        }
        let panel = self.new_panel();
        self.desktop.place(panel, &spot.screen, spot.area)?;
        self.actors
            .insert(id.to_owned(), Actor::new(panel, spot, guise, &room, now));
        self.catch(id)
    }

    fn guise(&self, agent: &Agent, size: Size) -> Guise {
        Guise {
            looks: agent.appearance,
            pose: if self.is_lost() {
                Pose::Unknown
            } else {
                agent.pose()
            },
            age: if agent.parent_id.is_some() {
                Age::Child
            } else {
                Age::Grown
            },
            size,
            liveliness: self.liveliness(),
        }
    }

    /// Nothing can be shown anywhere.
    fn clear(&mut self) -> Result<(), DesktopError> {
        let all: BTreeSet<String> = self.actors.keys().cloned().collect();
        self.remove_others(&BTreeMap::new())?;
        all.iter().try_for_each(|id| self.silence(id))?;
        self.show_none_more()
    }

    /// Screens have changed: everything is placed and drawn anew.
    pub(super) fn begin_anew(&mut self) -> Result<(), DesktopError> {
        self.close_offer()?;
        let actors = std::mem::take(&mut self.actors);
        for (id, actor) in actors {
            self.desktop.remove(actor.panel)?;
            self.silence(&id)?;
        }
        if let Some(speech) = self.lost_speech.take() {
            self.desktop.remove(speech.panel)?;
        }
        self.dragged = None;
        self.is_dirty = true;
        self.show_none_more()
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a few pixels"
)]
pub(super) fn gap(screen: &Screen) -> u32 {
    let step = screen.scale.round().max(1.0);
    ((GAP * screen.scale / step).round() * step) as u32
}
