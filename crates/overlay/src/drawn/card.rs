//! The ground of a bubble and of the menu: a card with a soft shadow, and perhaps a tail.

use resvg::tiny_skia::{Path, PathBuilder};

use super::canvas::{Canvas, corner};
use super::layout::Area;
use super::theme::{SHADOW, Theme, opaque, shade};

/// Around a card, for its shadow and its tail.
pub(super) const MARGIN: f32 = 14.0;
const RADIUS: f32 = 14.0;
/// How far the shadow reaches and lies below its card, so that it ends within the margin.
const REACH: f32 = 11.0;
const BELOW: f32 = 3.0;
const TAIL: f32 = 9.0;
const HALF_TAIL: f32 = 9.0;

/// The side of a bubble that its creature is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Top,
    Right,
    Bottom,
    Left,
}

/// A bubble's tail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tail {
    pub side: Side,
    /// Where along that side it wants to be, in pixels of the picture: from its left, or from its top. It stays clear of
    /// the corners.
    pub at: i32,
}

/// Draws a card and says where the tip of its tail is.
pub(super) fn draw(
    canvas: &mut Canvas,
    area: Area,
    tail: Option<Tail>,
    theme: &Theme,
    edge: (u32, f32),
) -> Option<(f32, f32)> {
    let shadow = shade(SHADOW, theme.shadow());
    canvas.shadow(area.lowered(BELOW), RADIUS, REACH, shadow);
    #[expect(clippy::cast_precision_loss, reason = "a screen has no such widths")]
    let tail = tail.map(|tail| (tail.side, tail.at as f32 / canvas.scale));
    let (colour, width) = edge;
    let (outer, tip) = outline(area, tail);
    let inner = outline(area.shrunk(width / 2.0), tail).0;
    if let Some(outer) = outer {
        canvas.fill(&outer, opaque(theme.raised));
    }
    if let Some(inner) = inner {
        canvas.stroke(&inner, width, opaque(colour));
    }
    tip
}

/// The edge of a card, clockwise from its upper left corner, and the tip of its tail.
fn outline(area: Area, tail: Option<(Side, f32)>) -> (Option<Path>, Option<(f32, f32)>) {
    let (left, top, right, bottom) = (area.x, area.y, area.right(), area.bottom());
    let sides = [
        (Side::Top, (left, top), (1.0, 0.0), area.width),
        (Side::Right, (right, top), (0.0, 1.0), area.height),
        (Side::Bottom, (right, bottom), (-1.0, 0.0), area.width),
        (Side::Left, (left, bottom), (0.0, -1.0), area.height),
    ];
    let mut path = PathBuilder::new();
    let mut tip = None;
    path.move_to(left + RADIUS, top);
    for (side, from, way, length) in sides {
        if let Some((_, at)) = tail.filter(|(at, _)| *at == side) {
            let along = match side {
                Side::Top => at - left,
                Side::Right => at - top,
                Side::Bottom => right - at,
                Side::Left => bottom - at,
            };
            tip = Some(add_tail(&mut path, from, way, (along, length)));
        }
        let end = (from.0 + way.0 * length, from.1 + way.1 * length);
        path.line_to(end.0 - way.0 * RADIUS, end.1 - way.1 * RADIUS);
        // Clockwise, the next side goes to the right of this one.
        let before = (-way.0 * RADIUS, -way.1 * RADIUS);
        let after = (-way.1 * RADIUS, way.0 * RADIUS);
        corner(&mut path, end, after, before);
    }
    path.close();
    (path.finish(), tip)
}

/// Adds a tail to a side that goes `way` from a corner, and says where its tip is.
fn add_tail(
    path: &mut PathBuilder,
    from: (f32, f32),
    way: (f32, f32),
    (along, length): (f32, f32),
) -> (f32, f32) {
    let least = RADIUS + HALF_TAIL;
    let along = along.min(length - least).max(least.min(length / 2.0));
    // Clockwise, what is outside lies to the left.
    let at = |along: f32, out: f32| {
        (
            from.0 + way.0 * along + way.1 * out,
            from.1 + way.1 * along - way.0 * out,
        )
    };
    let (begin, end) = (at(along - HALF_TAIL, 0.0), at(along + HALF_TAIL, 0.0));
    let (left, tip, right) = (
        at(along - 1.5, TAIL - 1.5),
        at(along, TAIL),
        at(along + 1.5, TAIL - 1.5),
    );
    let (bend, bend_back) = (at(along - 5.2, 1.6), at(along + 5.2, 1.6));
    path.line_to(begin.0, begin.1);
    path.quad_to(bend.0, bend.1, left.0, left.1);
    path.quad_to(tip.0, tip.1, right.0, right.1);
    path.quad_to(bend_back.0, bend_back.1, end.0, end.1);
    tip
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tail_points_where_it_should_but_not_out_of_a_corner() {
        let area = Area::new(14.0, 14.0, 200.0, 80.0);
        let tip = |side, at| outline(area, Some((side, at))).1;
        assert_eq!(tip(Side::Bottom, 100.0), Some((100.0, 103.0)));
        assert_eq!(tip(Side::Top, 100.0), Some((100.0, 5.0)));
        assert_eq!(tip(Side::Left, 50.0), Some((5.0, 50.0)));
        assert_eq!(tip(Side::Right, 50.0), Some((223.0, 50.0)));
        assert_eq!(tip(Side::Bottom, 0.0), Some((37.0, 103.0)));
        assert_eq!(tip(Side::Top, 900.0), Some((191.0, 5.0)));
        assert_eq!(outline(area, None).1, None);
    }
}
