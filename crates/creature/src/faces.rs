//! Faces: eyes and a mouth that belong together. Everything is drawn around the point between the eyes.

mod eyes;
mod mouths;

use crate::bodies::Body;
use crate::figure::{Figure, at};
use crate::movement::Part;
use crate::number::N;
use crate::stance::{Eyes, Mouth};

#[derive(Clone, Copy)]
pub(crate) struct Face {
    /// Where the eyes are, in gaps of the body from the middle, how much lower, and how large.
    eyes: &'static [(f32, f32, f32)],
    eye: eyes::Eye,
    mouths: &'static mouths::Mouths,
}

const TWO: &[(f32, f32, f32)] = &[(-1.0, 0.0, 10.0), (1.0, 0.0, 10.0)];
const SMALL: &[(f32, f32, f32)] = &[(-1.0, 1.0, 8.0), (1.0, 1.0, 8.0)];
const ONE: &[(f32, f32, f32)] = &[(0.0, -1.0, 15.0)];
const THREE: &[(f32, f32, f32)] = &[(-1.2, 2.0, 7.6), (1.2, 2.0, 7.6), (0.0, -7.0, 8.4)];

pub(crate) const FACES: &[Face] = &[
    of(TWO, eyes::round, &mouths::SMILE),
    of(TWO, eyes::tall, &mouths::CAT),
    of(TWO, eyes::sparkling, &mouths::LAUGH),
    of(ONE, eyes::iris, &mouths::FANGS),
    of(THREE, eyes::round, &mouths::TONGUE),
    of(SMALL, eyes::button, &mouths::BEAK),
    of(TWO, eyes::lidded, &mouths::SMIRK),
];

const fn of(
    eyes: &'static [(f32, f32, f32)],
    eye: eyes::Eye,
    mouths: &'static mouths::Mouths,
) -> Face {
    Face { eyes, eye, mouths }
}

impl Face {
    /// Where the eyes are on a body, from the point between them, and how large.
    pub(crate) fn places(&self, body: &Body) -> impl Iterator<Item = (f32, f32, f32)> {
        let gap = body.gap;
        // Narrow heads have smaller eyes, so that these do not touch.
        let share = (gap / 14.5).min(1.0);
        let eyes = self.eyes.iter();
        eyes.map(move |(x, y, size)| (x * gap, *y, size * share))
    }
}

/// The face with what the stance makes of it.
pub(crate) fn face(figure: &Figure) -> String {
    let eyes: String = figure
        .face
        .places(figure.body)
        .map(|(x, y, size)| at(x, y, &eye(figure, size)))
        .collect();
    let eyes = figure.moving(Part::Eyes, &eyes);
    let mouth = figure.moving(Part::Mouth, &mouth(figure));
    let (y, cheek) = (N(figure.body.eyes), N(figure.body.gap + 10.0));
    format!(
        "<g transform='translate(0 {y})'><path d='M-{cheek} 13h3M{cheek} 13h-3' stroke='{}' stroke-width='7' opacity='.5'/>\
         {eyes}<g transform='translate(0 19)'>{mouth}</g></g>",
        figure.palette.blush
    )
}

fn eye(figure: &Figure, size: f32) -> String {
    let palette = &figure.palette;
    match figure.stance.eyes {
        Eyes::Ahead => (figure.face.eye)(palette, size, (0.0, 0.5)),
        Eyes::Aside(x, y) => (figure.face.eye)(palette, size, (x, y)),
        Eyes::Wide => eyes::wide(size),
        Eyes::Closed => eyes::closed(size),
        Eyes::Joyful => eyes::joyful(size),
        Eyes::Dizzy => eyes::dizzy(size),
    }
}

fn mouth(figure: &Figure) -> String {
    let mouths = figure.face.mouths;
    let draw = match figure.stance.mouth {
        Mouth::Own => mouths.own,
        Mouth::Open => mouths.open,
        Mouth::Wavy => mouths.wavy,
        Mouth::Grin => mouths.grin,
        Mouth::Calm => mouths.calm,
    };
    draw(&figure.palette)
}
