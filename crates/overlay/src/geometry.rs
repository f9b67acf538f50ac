//! Points and rectangles, in pixels of a screen.

/// A place, from the upper left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Point {
    pub x: i32,
    pub y: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Size {
    pub width: u32,
    pub height: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rect {
    pub at: Point,
    pub size: Size,
}

impl Point {
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self::new(
            self.x.saturating_add(other.x),
            self.y.saturating_add(other.y),
        )
    }

    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self::new(
            self.x.saturating_sub(other.x),
            self.y.saturating_sub(other.y),
        )
    }
}

impl Size {
    pub const fn new(width: u32, height: u32) -> Self {
        Self { width, height }
    }
}

impl Rect {
    pub const fn new(x: i32, y: i32, width: u32, height: u32) -> Self {
        Self {
            at: Point::new(x, y),
            size: Size::new(width, height),
        }
    }

    /// The first column behind it.
    pub const fn right(&self) -> i32 {
        self.at.x.saturating_add_unsigned(self.size.width)
    }

    /// The first row below it.
    pub const fn bottom(&self) -> i32 {
        self.at.y.saturating_add_unsigned(self.size.height)
    }

    pub const fn contains(&self, point: Point) -> bool {
        point.x >= self.at.x
            && point.x < self.right()
            && point.y >= self.at.y
            && point.y < self.bottom()
    }

    pub const fn centre(&self) -> Point {
        Point::new(
            self.at.x.saturating_add_unsigned(self.size.width / 2),
            self.at.y.saturating_add_unsigned(self.size.height / 2),
        )
    }

    /// The same size, moved so that all of it is within `room`; where it is larger, its beginning is.
    #[must_use]
    pub fn kept_within(self, room: Self) -> Self {
        let x = self
            .at
            .x
            .min(room.right().saturating_sub_unsigned(self.size.width));
        let y = self
            .at
            .y
            .min(room.bottom().saturating_sub_unsigned(self.size.height));
        let at = Point::new(x.max(room.at.x), y.max(room.at.y));
        Self { at, ..self }
    }

    #[must_use]
    pub const fn moved(self, by: Point) -> Self {
        Self {
            at: self.at.plus(by),
            ..self
        }
    }

    pub const fn overlaps(&self, other: &Self) -> bool {
        self.at.x < other.right()
            && other.at.x < self.right()
            && self.at.y < other.bottom()
            && other.at.y < self.bottom()
    }
}
