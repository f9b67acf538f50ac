//! Between the compositor's units and the pixels of a screen.

use crate::geometry::{Point, Rect, Size};

/// How many pixels of a screen one unit of the compositor is wide: 1 or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale(i32);

impl Scale {
    pub(super) fn new(factor: i32) -> Self {
        Self(factor.max(1))
    }

    pub(super) const fn factor(self) -> i32 {
        self.0
    }

    /// The unit that a pixel is in.
    pub(super) const fn units(self, pixels: Point) -> Point {
        Point::new(pixels.x.div_euclid(self.0), pixels.y.div_euclid(self.0))
    }

    /// Units enough for all of it; a surface cannot be empty.
    pub(super) fn covering(self, pixels: Size) -> Size {
        let enough = |pixels: u32| pixels.div_ceil(self.0.unsigned_abs()).max(1);
        Size::new(enough(pixels.width), enough(pixels.height))
    }

    /// The units that a rectangle touches.
    pub(super) fn touched(self, pixels: Rect) -> Rect {
        let at = self.units(pixels.at);
        let end = self.units(Point::new(
            pixels.right().saturating_add(self.0 - 1),
            pixels.bottom().saturating_add(self.0 - 1),
        ));
        let way = end.minus(at);
        let size = [way.x, way.y].map(|n| u32::try_from(n).unwrap_or(0));
        Rect {
            at,
            size: Size::new(size[0], size[1]),
        }
    }

    pub(super) fn pixels(self, units: Size) -> Size {
        let factor = self.0.unsigned_abs();
        Size::new(
            units.width.saturating_mul(factor),
            units.height.saturating_mul(factor),
        )
    }

    /// The pixel that the pointer is on.
    pub(super) fn pixel(self, units: (f64, f64)) -> Point {
        Point::new(self.whole(units.0), self.whole(units.1))
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "a conversion that saturates is what is wanted"
    )]
    fn whole(self, units: f64) -> i32 {
        (units * f64::from(self.0)).floor() as i32
    }
}

/// A length as the protocol wants it.
pub(super) fn signed(length: u32) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_surface_covers_all_of_a_picture_and_a_shape_all_that_is_drawn() {
        let two = Scale::new(2);
        assert_eq!(two.covering(Size::new(95, 0)), Size::new(48, 1));
        assert_eq!(two.pixels(Size::new(48, 1)), Size::new(96, 2));
        assert_eq!(two.touched(Rect::new(3, 4, 2, 2)), Rect::new(1, 2, 2, 1));
        assert_eq!(two.touched(Rect::new(-3, 0, 2, 2)), Rect::new(-2, 0, 2, 1));
        assert_eq!(two.pixel((1.5, -0.5)), Point::new(3, -1));
        assert_eq!(Scale::new(0).units(Point::new(7, -7)), Point::new(7, -7));
    }
}
