//! Numbers as they stand in a drawing: two digits after the point at most, and none without need.

use std::fmt;

/// A number in a drawing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct N(pub f32);

impl fmt::Display for N {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding zero makes the negative zero a plain one.
        let rounded = (self.0 * 100.0).round() / 100.0 + 0.0;
        write!(formatter, "{rounded}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let written = [1.0, -0.001, 2.346, -0.5, 0.1 + 0.2].map(|number| N(number).to_string());
        assert_eq!(written, ["1", "0", "2.35", "-0.5", "0.3"]);
    }
}
