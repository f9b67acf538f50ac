//! Where creatures and bubbles stand; pure.

use serde::{Deserialize, Serialize};

use crate::geometry::{Point, Rect, Size};

/// The edge or the corner at which the flock stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    TopLeft,
    Top,
    TopRight,
    Left,
    Right,
    BottomLeft,
    Bottom,
    #[default]
    BottomRight,
}

/// Where along a line the first one stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum From {
    Beginning,
    Middle,
    End,
}

/// Which side of a creature its bubble is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Above,
    Below,
    LeftOf,
    RightOf,
}

impl Place {
    const fn is_upright(self) -> bool {
        matches!(self, Self::Left | Self::Right)
    }

    const fn from(self) -> From {
        match self {
            Self::TopLeft | Self::BottomLeft => From::Beginning,
            Self::Top | Self::Bottom | Self::Left | Self::Right => From::Middle,
            Self::TopRight | Self::BottomRight => From::End,
        }
    }

    const fn is_at_far_edge(self) -> bool {
        matches!(
            self,
            Self::BottomLeft | Self::Bottom | Self::BottomRight | Self::Right
        )
    }

    /// Where the bubbles of a flock go that stands here.
    pub const fn bubbles(self) -> Side {
        match self {
            Self::TopLeft | Self::Top | Self::TopRight => Side::Below,
            Self::BottomLeft | Self::Bottom | Self::BottomRight => Side::Above,
            Self::Left => Side::RightOf,
            Self::Right => Side::LeftOf,
        }
    }
}

/// Places for `count` creatures of one size within `work`, line by line from the edge inwards. Those for whom there is no
/// room get none.
pub fn docked(place: Place, work: Rect, cell: Size, gap: u32, count: usize) -> Vec<Rect> {
    let (along, across) = if place.is_upright() {
        (work.size.height, work.size.width)
    } else {
        (work.size.width, work.size.height)
    };
    let (step, deep) = if place.is_upright() {
        (cell.height + gap, cell.width + gap)
    } else {
        (cell.width + gap, cell.height + gap)
    };
    let in_a_line = (along.saturating_sub(gap) / step).max(1) as usize;
    // Half of the screen at most: the rest is somebody's work.
    let lines = ((across / 2).saturating_sub(gap) / deep).max(1) as usize;
    let count = count.min(in_a_line * lines);
    let spot = |index: usize| {
        let line = index / in_a_line;
        let here = (count - line * in_a_line).min(in_a_line);
        let far = offset(place.from(), along, step, gap, here, index % in_a_line);
        let depth = to_i32(gap + u32::try_from(line).unwrap_or(u32::MAX) * deep);
        let depth = if place.is_at_far_edge() {
            to_i32(across) - depth - to_i32(deep - gap)
        } else {
            depth
        };
        let at = if place.is_upright() {
            Point::new(depth, far)
        } else {
            Point::new(far, depth)
        };
        Rect { at, size: cell }.moved(work.at)
    };
    (0..count).map(spot).collect()
}

/// How far along the edge the one with this index stands, of `here` in its line.
fn offset(from: From, along: u32, step: u32, gap: u32, here: usize, index: usize) -> i32 {
    let [along, step, gap] = [along, step, gap].map(to_i32);
    let [here, index] = [here, index].map(|n| i32::try_from(n).unwrap_or(i32::MAX));
    match from {
        From::Beginning => gap + index * step,
        From::Middle => i32::midpoint(along - here * step, gap) + index * step,
        // The first one is in the corner, and stays there when others come.
        From::End => along - (index + 1) * step,
    }
}

fn to_i32(length: u32) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX)
}

/// Where somebody that was sent by a creature outside the dock stands: beside it, towards the middle of the screen.
pub fn beside(parent: Rect, index: usize, work: Rect, gap: u32) -> Rect {
    let step = to_i32(parent.size.width + gap)
        .saturating_mul(i32::try_from(index + 1).unwrap_or(i32::MAX));
    let towards = if parent.centre().x < work.centre().x {
        step
    } else {
        -step
    };
    parent.moved(Point::new(towards, 0)).kept_within(work)
}

/// Where a bubble of this size goes: at its side of the creature, within the screen, not over another bubble. The second
/// value is the side that it has got. None when there is no room.
pub fn bubble(
    of: Rect,
    card: Size,
    side: Side,
    work: Rect,
    taken: &[Rect],
) -> Option<(Rect, Side)> {
    let opposite = match side {
        Side::Above => Side::Below,
        Side::Below => Side::Above,
        Side::LeftOf => Side::RightOf,
        Side::RightOf => Side::LeftOf,
    };
    [side, opposite].into_iter().find_map(|side| {
        let first = touching(of, card, side).kept_within(work);
        let free = clear_of(first, side, taken);
        let fits = free.kept_within(work) == free && !free.overlaps(&of);
        fits.then_some((free, side))
    })
}

fn touching(of: Rect, card: Size, side: Side) -> Rect {
    let [width, height] = [card.width, card.height].map(to_i32);
    let middle = of.centre().minus(Point::new(width / 2, height / 2));
    let at = match side {
        Side::Above => Point::new(middle.x, of.at.y - height),
        Side::Below => Point::new(middle.x, of.bottom()),
        Side::LeftOf => Point::new(of.at.x - width, middle.y),
        Side::RightOf => Point::new(of.right(), middle.y),
    };
    Rect { at, size: card }
}

/// Moved away from the creature until it is over nothing that is taken.
fn clear_of(mut rect: Rect, side: Side, taken: &[Rect]) -> Rect {
    // Each step goes beyond one of those that are taken, so there are not more steps than those.
    for _ in 0..taken.len() {
        let Some(other) = taken.iter().find(|other| other.overlaps(&rect)) else {
            break;
        };
        rect.at = match side {
            Side::Above => Point::new(rect.at.x, other.at.y - to_i32(rect.size.height)),
            Side::Below => Point::new(rect.at.x, other.bottom()),
            Side::LeftOf => Point::new(other.at.x - to_i32(rect.size.width), rect.at.y),
            Side::RightOf => Point::new(other.right(), rect.at.y),
        };
    }
    rect
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORK: Rect = Rect::new(0, 20, 1000, 780);
    const CELL: Size = Size::new(96, 106);

    fn corners(place: Place, count: usize) -> Vec<(i32, i32)> {
        docked(place, WORK, CELL, 8, count)
            .iter()
            .map(|rect| (rect.at.x, rect.at.y))
            .collect()
    }

    #[test]
    fn a_flock_stands_at_its_edge_and_those_who_come_move_nobody_in_a_corner() {
        assert_eq!(corners(Place::BottomRight, 2), [(896, 686), (792, 686)]);
        assert_eq!(corners(Place::BottomRight, 1), [(896, 686)]);
        assert_eq!(corners(Place::BottomLeft, 2), [(8, 686), (112, 686)]);
        assert_eq!(corners(Place::TopLeft, 1), [(8, 28)]);
        assert_eq!(corners(Place::Bottom, 1), [(452, 686)]);
        assert_eq!(corners(Place::Right, 1), [(896, 357)]);
        assert_eq!(corners(Place::Left, 2), [(8, 300), (8, 414)]);
    }

    #[test]
    fn all_places_are_on_the_screen_and_apart() {
        for place in [
            Place::TopLeft,
            Place::Top,
            Place::TopRight,
            Place::Left,
            Place::Right,
            Place::BottomLeft,
            Place::Bottom,
            Place::BottomRight,
        ] {
            let all = docked(place, WORK, CELL, 8, 200);
            assert!(all.len() > 20, "{place:?} has {}", all.len());
            for (index, one) in all.iter().enumerate() {
                assert_eq!(one.kept_within(WORK), *one, "{place:?}");
                assert!(
                    all[..index].iter().all(|other| !other.overlaps(one)),
                    "{place:?}"
                );
            }
        }
    }

    #[test]
    fn a_screen_that_is_too_small_shows_one() {
        assert_eq!(
            docked(Place::Bottom, Rect::new(0, 0, 40, 40), CELL, 8, 3).len(),
            1
        );
    }

    #[test]
    fn a_bubble_is_on_the_screen_and_over_no_other() {
        let of = Rect::new(896, 686, 96, 106);
        let size = Size::new(200, 60);
        let (first, above) = bubble(of, size, Side::Above, WORK, &[]).unwrap();
        assert_eq!((first, above), (Rect::new(800, 626, 200, 60), Side::Above));
        let (second, _) = bubble(of, size, Side::Above, WORK, &[first]).unwrap();
        assert_eq!(second, Rect::new(800, 566, 200, 60));
        let top = Rect::new(0, 20, 96, 106);
        assert_eq!(
            bubble(top, size, Side::Above, WORK, &[]).unwrap().1,
            Side::Below
        );
        assert_eq!(
            bubble(of, Size::new(200, 900), Side::Above, WORK, &[]),
            None
        );
    }

    #[test]
    fn a_child_stands_towards_the_middle() {
        assert_eq!(
            beside(Rect::new(10, 100, 96, 106), 0, WORK, 8).at,
            Point::new(114, 100)
        );
        assert_eq!(
            beside(Rect::new(800, 100, 96, 106), 1, WORK, 8).at,
            Point::new(592, 100)
        );
    }
}
