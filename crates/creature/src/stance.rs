//! What a pose is made of: arms, face, colour, things and movement.

use crate::motion::Cycle;
use crate::movement::Movement;
use crate::palette::Tone;
use crate::props::Prop;

/// What a pose is made of. What is not said is as of one who stands there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stance {
    /// How far the arms are raised, left and right, in degrees from hanging.
    pub arms: (f32, f32),
    pub eyes: Eyes,
    pub mouth: Mouth,
    pub tone: Tone,
    /// How opaque the figure is.
    pub opacity: f32,
    /// How far it leans to the right, in degrees.
    pub lean: f32,
    pub props: &'static [Prop],
    pub cycle: Cycle,
    pub movements: &'static [Movement],
}

impl Stance {
    pub(crate) const PLAIN: Self = Self {
        arms: (0.0, 0.0),
        eyes: Eyes::Ahead,
        mouth: Mouth::Own,
        tone: Tone::Full,
        opacity: 1.0,
        lean: 0.0,
        props: &[],
        cycle: Cycle::Still,
        movements: &[],
    };
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Eyes {
    Ahead,
    /// They look so far to the right and down.
    Aside(f32, f32),
    Wide,
    Closed,
    Joyful,
    Dizzy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mouth {
    /// The face's own.
    Own,
    Open,
    Wavy,
    Grin,
    Calm,
}
