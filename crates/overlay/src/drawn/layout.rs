//! Areas in the sizes of a plain screen.

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Area {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) width: f32,
    pub(super) height: f32,
}

impl Area {
    pub(super) const fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self {
            x,
            y,
            width,
            height,
        }
    }

    pub(super) const fn right(&self) -> f32 {
        self.x + self.width
    }

    pub(super) const fn bottom(&self) -> f32 {
        self.y + self.height
    }

    pub(super) const fn middle(&self) -> f32 {
        self.y + self.height / 2.0
    }

    pub(super) const fn shrunk(self, by: f32) -> Self {
        Self::new(
            self.x + by,
            self.y + by,
            self.width - 2.0 * by,
            self.height - 2.0 * by,
        )
    }

    pub(super) const fn lowered(self, by: f32) -> Self {
        Self::new(self.x, self.y + by, self.width, self.height)
    }

    /// How far a point is outside of it, with corners of this radius; negative within.
    pub(super) fn distance(&self, (x, y): (f32, f32), radius: f32) -> f32 {
        let beyond =
            |at: f32, from: f32, size: f32| (at - from - size / 2.0).abs() - size / 2.0 + radius;
        let (dx, dy) = (
            beyond(x, self.x, self.width),
            beyond(y, self.y, self.height),
        );
        dx.max(0.0).hypot(dy.max(0.0)) + dx.max(dy).min(0.0) - radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_is_that_to_the_edge() {
        let area = Area::new(10.0, 10.0, 20.0, 20.0);
        assert!((area.distance((20.0, 5.0), 4.0) - 5.0).abs() < 0.01);
        assert!((area.distance((33.0, 20.0), 4.0) - 3.0).abs() < 0.01);
        assert!(area.distance((20.0, 20.0), 4.0) < -5.0);
        assert!(area.distance((10.0, 10.0), 4.0) > 0.0, "a round corner");
    }
}
