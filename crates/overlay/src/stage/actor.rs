//! One creature on a screen: where it stands, which pose it is in, and which frame of it is seen.

use std::time::{Duration, Instant};

use bellwether_creature::{Age, Appearance, Motion, Pose};

use crate::desktop::PanelId;
use crate::frames::{Room, Sight, Strip};
use crate::geometry::{Rect, Size};

/// So long a creature moves after something has changed with it. Then it stands still until something changes again.
const MOVES: Duration = Duration::from_secs(30);

/// Where something is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spot {
    pub screen: String,
    pub area: Rect,
}

#[derive(Debug)]
pub(super) struct Actor {
    pub panel: PanelId,
    pub spot: Spot,
    strip: Strip,
    frame: usize,
    moves_until: Instant,
    /// It goes when its movement has ended.
    pub leaves: bool,
    /// Whether its picture is to be sent.
    pub is_stale: bool,
}

/// How creatures may move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Liveliness {
    Moves,
    /// The person wants less motion, or the screen cannot do it.
    Stands,
}

/// How an agent looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Guise {
    pub looks: Appearance,
    pub pose: Pose,
    pub age: Age,
    pub size: Size,
    pub liveliness: Liveliness,
}

impl Guise {
    fn sight(&self) -> Sight {
        Sight {
            looks: self.looks,
            pose: self.pose,
            age: self.age,
            size: self.size,
        }
    }

    fn strip(&self, room: &Room) -> Strip {
        match self.liveliness {
            Liveliness::Moves => Strip::new(self.sight(), room),
            Liveliness::Stands => Strip::still(self.sight(), room),
        }
    }
}

impl Actor {
    pub(super) fn new(panel: PanelId, spot: Spot, guise: Guise, room: &Room, now: Instant) -> Self {
        Self {
            panel,
            spot,
            strip: guise.strip(room),
            frame: 0,
            moves_until: now + MOVES,
            leaves: false,
            is_stale: true,
        }
    }

    /// Takes another pose, or another size; the same again changes nothing.
    pub(super) fn pose(&mut self, guise: Guise, room: &Room, now: Instant) {
        if *self.strip.sight() == guise.sight() {
            return;
        }
        // What was kept of the old pose makes room for the new one.
        self.strip = Strip::still(guise.sight(), &Room::default());
        self.strip = guise.strip(room);
        self.frame = 0;
        self.is_stale = true;
        self.stir(now);
    }

    /// Waves and goes.
    pub(super) fn leave(&mut self, liveliness: Liveliness, room: &Room, now: Instant) {
        if self.leaves {
            return;
        }
        self.leaves = true;
        let Sight {
            looks, age, size, ..
        } = *self.strip.sight();
        let guise = Guise {
            looks,
            pose: Pose::Leaving,
            age,
            size,
            liveliness,
        };
        self.pose(guise, room, now);
        self.stir(now);
    }

    pub(super) fn sight(&self) -> &Sight {
        self.strip.sight()
    }

    /// Something has happened with it.
    pub(super) fn stir(&mut self, now: Instant) {
        self.moves_until = now + MOVES;
    }

    /// Whether there is another frame to come.
    pub(super) fn moves(&self, now: Instant) -> bool {
        // At the end it comes to rest where it began.
        let rests = now >= self.moves_until && self.frame == 0;
        !rests && self.strip.after(self.frame).is_some()
    }

    /// Goes on by one frame.
    pub(super) fn step(&mut self, now: Instant) {
        if !self.moves(now) {
            return;
        }
        if let Some(next) = self.strip.after(self.frame) {
            self.is_stale |= !self.strip.same(self.frame, next);
            self.frame = next;
        }
    }

    /// Whether it has gone.
    pub(super) fn has_left(&self, now: Instant) -> bool {
        self.leaves && !self.moves(now)
    }

    pub(super) fn picture(&mut self) -> crate::picture::Picture {
        self.strip.picture(self.frame)
    }

    /// Its outline when it stands still, so that the mouse meets the same creature all the time.
    pub(super) fn outline(&self) -> Vec<Rect> {
        self.strip.sight().draw(Motion::Still).shape()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guise(pose: Pose) -> Guise {
        Guise {
            looks: Appearance::of("a"),
            pose,
            age: Age::Grown,
            size: Sight::size(32, 1),
            liveliness: Liveliness::Moves,
        }
    }

    fn actor(pose: Pose, now: Instant) -> Actor {
        let spot = Spot {
            screen: "one".into(),
            area: Rect::default(),
        };
        Actor::new(1, spot, guise(pose), &Room::default(), now)
    }

    #[test]
    fn it_moves_for_a_while_and_comes_to_rest_at_the_beginning() {
        let now = Instant::now();
        let mut actor = actor(Pose::Working, now);
        let late = now + MOVES;
        actor.step(now);
        assert!(actor.moves(late), "not yet where it began");
        let mut steps = 0;
        while actor.moves(late) && steps < 100 {
            actor.step(late);
            steps += 1;
        }
        assert!((2..60).contains(&steps), "{steps}");
        assert_eq!(actor.frame, 0);
        actor.stir(late);
        assert!(actor.moves(late));
    }

    #[test]
    fn what_happens_once_ends() {
        let now = Instant::now();
        let mut actor = actor(Pose::Leaving, now);
        actor.leaves = true;
        let mut steps = 0;
        while !actor.has_left(now) && steps < 200 {
            actor.step(now);
            steps += 1;
        }
        assert!((2..100).contains(&steps), "{steps}");
    }

    #[test]
    fn the_same_pose_again_changes_nothing() {
        let now = Instant::now();
        let mut actor = actor(Pose::Working, now);
        actor.is_stale = false;
        actor.step(now);
        let frame = actor.frame;
        actor.pose(guise(Pose::Working), &Room::default(), now);
        assert_eq!(actor.frame, frame);
        actor.pose(guise(Pose::Waiting), &Room::default(), now);
        assert!(actor.is_stale && actor.frame == 0);
    }
}
