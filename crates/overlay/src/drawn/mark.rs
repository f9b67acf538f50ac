//! Small marks that need no font: what a bubble is about, and what a button does.

use resvg::tiny_skia::{ColorU8, PathBuilder};

use super::canvas::Canvas;

/// How wide and high a mark is.
pub(super) const MARK: f32 = 12.0;

type Line = &'static [(f32, f32)];

const CHECK: &[Line] = &[&[(2.2, 6.4), (4.9, 9.2), (9.9, 3.2)]];
const CROSS: &[Line] = &[&[(2.8, 2.8), (9.2, 9.2)], &[(9.2, 2.8), (2.8, 9.2)]];
const PROMPT: &[Line] = &[
    &[(1.6, 2.8), (5.2, 6.0), (1.6, 9.2)],
    &[(6.4, 9.6), (10.6, 9.6)],
];
const SMALL_CHECK: &[Line] = &[&[(3.5, 6.3), (5.3, 8.1), (8.6, 4.2)]];
const BAR: &[Line] = &[&[(3.6, 6.0), (8.4, 6.0)]];
const EXCLAMATION: &[Line] = &[&[(6.0, 2.9), (6.0, 6.5)], &[(6.0, 8.9), (6.0, 9.0)]];
const QUESTION: &[Line] = &[
    &[
        (4.1, 4.5),
        (4.4, 3.5),
        (5.1, 2.9),
        (6.0, 2.7),
        (7.0, 3.0),
        (7.7, 3.8),
        (7.6, 4.8),
        (6.9, 5.5),
        (6.2, 6.1),
        (6.0, 6.9),
    ],
    &[(6.0, 9.1), (6.0, 9.2)],
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Check,
    Cross,
    Prompt,
    Dot,
    Good,
    Refused,
    Bad,
    Ask,
}

impl Mark {
    /// Draws it with its upper left corner at a point; on a disc, `ground` is the colour of what is cut out.
    pub(super) fn draw(
        self,
        canvas: &mut Canvas,
        at: (f32, f32),
        colour: ColorU8,
        ground: ColorU8,
    ) {
        let (lines, disc) = match self {
            Self::Check => (CHECK, None),
            Self::Cross => (CROSS, None),
            Self::Prompt => (PROMPT, None),
            Self::Dot => (&[] as &[Line], Some(4.0)),
            Self::Good => (SMALL_CHECK, Some(6.0)),
            Self::Refused => (BAR, Some(6.0)),
            Self::Bad => (EXCLAMATION, Some(6.0)),
            Self::Ask => (QUESTION, Some(6.0)),
        };
        if let Some(radius) = disc
            && let Some(path) = PathBuilder::from_circle(at.0 + 6.0, at.1 + 6.0, radius)
        {
            canvas.fill(&path, colour);
        }
        let (width, colour) = if disc.is_some() {
            (1.5, ground)
        } else {
            (1.7, colour)
        };
        for line in lines {
            stroke(canvas, line, at, width, colour);
        }
    }
}

fn stroke(canvas: &mut Canvas, line: Line, at: (f32, f32), width: f32, colour: ColorU8) {
    let mut path = PathBuilder::new();
    for (number, (x, y)) in line.iter().enumerate() {
        if number == 0 {
            path.move_to(at.0 + x, at.1 + y);
        } else {
            path.line_to(at.0 + x, at.1 + y);
        }
    }
    if let Some(path) = path.finish() {
        canvas.stroke(&path, width, colour);
    }
}
