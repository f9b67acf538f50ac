//! The frames of a creature's movement: each is drawn once and kept compressed, those of the current pose alone.
//!
//! Drawing costs milliseconds, so the first frame is drawn at once and the others one by one, when they are first shown.
//! All strips together stay within [`KEPT`] bytes: whoever comes when that is used up stands still.

use std::cell::Cell;
use std::rc::Rc;

use bellwether_creature::{Age, Appearance, Creature, Cycle, HEIGHT, Motion, Pose, WIDTH};
use lz4_flex::block;
use resvg::{tiny_skia, usvg};

use crate::geometry::Size;
use crate::picture::Picture;

/// Frames a second.
pub const RATE: u32 = 8;
/// How many bytes of frames are kept, of all creatures together.
const KEPT: usize = 8 << 20;

/// What a creature looks like in one pose, at one size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sight {
    pub looks: Appearance,
    pub pose: Pose,
    pub age: Age,
    /// How large it is drawn.
    pub size: Size,
}

/// How many bytes all strips keep.
#[derive(Debug, Clone, Default)]
pub struct Room(Rc<Cell<usize>>);

/// The frames of a pose.
#[derive(Debug)]
pub struct Strip {
    sight: Sight,
    cycle: Cycle,
    kept: Vec<Option<Rc<[u8]>>>,
    room: Room,
}

impl Sight {
    /// How high a creature is that is so wide, both multiples of `step`.
    pub fn size(width: u32, step: u32) -> Size {
        let up = |length: u32| length.div_ceil(step.max(1)) * step.max(1);
        let width = up(width);
        Size::new(width, up(width * u32::from(HEIGHT) / u32::from(WIDTH)))
    }

    /// One moment of it.
    pub fn draw(&self, motion: Motion) -> Picture {
        let creature = Creature {
            looks: self.looks,
            pose: self.pose,
            age: self.age,
            motion,
            title: None,
        };
        drawn(&creature.svg(), self.size)
    }
}

/// An SVG as pixels; a drawing that cannot be read is an empty one.
pub fn drawn(svg: &str, size: Size) -> Picture {
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default());
    let map = tiny_skia::Pixmap::new(size.width, size.height);
    let (Ok(tree), Some(mut map)) = (tree, map) else {
        return Picture::clear(size);
    };
    #[expect(
        clippy::cast_precision_loss,
        reason = "a screen has fewer pixels than a float has digits"
    )]
    let scale =
        (size.width as f32 / tree.size().width()).min(size.height as f32 / tree.size().height());
    resvg::render(
        &tree,
        tiny_skia::Transform::from_scale(scale, scale),
        &mut map.as_mut(),
    );
    let mut pixels = map.take();
    pixels
        .chunks_exact_mut(4)
        .for_each(|pixel| pixel.swap(0, 2));
    Picture { size, pixels }
}

impl Strip {
    pub fn new(sight: Sight, room: &Room) -> Self {
        let cycle = sight.pose.cycle();
        let (Cycle::Once(ms) | Cycle::Again(ms)) = cycle else {
            return Self::still(sight, room);
        };
        let count = (ms * RATE).div_ceil(1000).max(1);
        Self {
            sight,
            cycle,
            kept: vec![None; count as usize],
            room: room.clone(),
        }
    }

    /// One that never moves.
    pub fn still(sight: Sight, room: &Room) -> Self {
        Self {
            sight,
            cycle: Cycle::Still,
            kept: vec![None],
            room: room.clone(),
        }
    }

    pub fn sight(&self) -> &Sight {
        &self.sight
    }

    /// The frame behind this one; none when it is the last.
    pub fn after(&self, frame: usize) -> Option<usize> {
        let next = frame + 1;
        match self.cycle {
            Cycle::Still => None,
            Cycle::Once(_) => (next < self.kept.len()).then_some(next),
            Cycle::Again(_) if self.kept.len() < 2 => None,
            Cycle::Again(_) => Some(next % self.kept.len()),
        }
    }

    /// Whether two frames are the same to the last pixel, as far as both are drawn.
    pub fn same(&self, one: usize, other: usize) -> bool {
        let at = |frame: usize| self.kept.get(frame).and_then(Option::as_ref);
        matches!((at(one), at(other)), (Some(one), Some(other)) if one == other)
    }

    /// A frame as a picture.
    pub fn picture(&mut self, frame: usize) -> Picture {
        let size = self.sight.size;
        let length = size.width as usize * size.height as usize * 4;
        let frame = frame % self.kept.len();
        let unpacked = self.kept[frame]
            .as_deref()
            .and_then(|packed| block::decompress(packed, length).ok());
        if let Some(pixels) = unpacked.filter(|pixels| pixels.len() == length) {
            return Picture { size, pixels };
        }
        let picture = self.sight.draw(self.motion(frame));
        self.keep(frame, &picture);
        picture
    }

    fn motion(&self, frame: usize) -> Motion {
        #[expect(clippy::cast_precision_loss, reason = "a strip has a few dozen frames")]
        let at = frame as f32 / self.kept.len() as f32;
        match self.cycle {
            Cycle::Still => Motion::Still,
            // What moves once ends where it stands still.
            Cycle::Once(_) if frame + 1 == self.kept.len() => Motion::Frame(1.0),
            Cycle::Once(_) | Cycle::Again(_) => Motion::Frame(at),
        }
    }

    fn keep(&mut self, frame: usize, picture: &Picture) {
        let packed = block::compress(&picture.pixels);
        let used = self.room.0.get() + packed.len();
        if used > KEPT {
            // Drawing a frame again at every step would cost more than anything: it stands still from here on.
            self.cycle = Cycle::Still;
            return;
        }
        self.room.0.set(used);
        self.kept[frame] = Some(packed.into());
    }
}

impl Drop for Strip {
    fn drop(&mut self) {
        let kept: usize = self.kept.iter().flatten().map(|packed| packed.len()).sum();
        self.room.0.set(self.room.0.get().saturating_sub(kept));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sight(pose: Pose) -> Sight {
        Sight {
            looks: Appearance::of("shop/one"),
            pose,
            age: Age::Grown,
            size: Sight::size(48, 1),
        }
    }

    #[test]
    fn a_frame_is_the_same_from_the_drawing_and_from_what_is_kept() {
        let mut strip = Strip::new(sight(Pose::Working), &Room::default());
        let first: Vec<Picture> = (0..strip.kept.len())
            .map(|frame| strip.picture(frame))
            .collect();
        let again: Vec<Picture> = (0..strip.kept.len())
            .map(|frame| strip.picture(frame))
            .collect();
        assert_eq!(first, again);
        assert!(
            first.iter().any(|picture| *picture != first[0]),
            "nothing moves"
        );
        assert!(
            first[0].pixels.iter().any(|byte| *byte > 0),
            "nothing is drawn"
        );
    }

    #[test]
    fn a_strip_begins_again_ends_or_stands() {
        let room = Room::default();
        let (again, once) = (
            Strip::new(sight(Pose::Working), &room),
            Strip::new(sight(Pose::Appearing), &room),
        );
        assert_eq!(again.after(again.kept.len() - 1), Some(0));
        assert_eq!(once.after(once.kept.len() - 1), None);
        assert_eq!(once.after(0), Some(1));
        assert_eq!(Strip::still(sight(Pose::Working), &room).after(0), None);
    }

    #[test]
    fn what_is_kept_is_given_back_and_bounded() {
        let room = Room::default();
        let mut strip = Strip::new(sight(Pose::Working), &room);
        strip.picture(0);
        assert!(room.0.get() > 0);
        drop(strip);
        assert_eq!(room.0.get(), 0);

        room.0.set(KEPT);
        let mut strip = Strip::new(sight(Pose::Working), &room);
        assert!(strip.picture(0).pixels.iter().any(|byte| *byte > 0));
        assert_eq!(strip.after(0), None, "it stands still");
    }

    #[test]
    fn sizes_are_multiples_of_the_step() {
        assert_eq!(Sight::size(97, 2), Size::new(98, 108));
        assert_eq!(Sight::size(96, 1), Size::new(96, 106));
    }
}
