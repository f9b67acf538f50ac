//! Whether and how a drawing moves.

/// Whether and how a drawing moves.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Motion {
    /// By itself, with a style sheet inside the drawing; where the person wants less motion it stands still.
    #[default]
    Animated,
    /// It stands still, as the pose is recognised best.
    Still,
    /// One moment of the movement, from 0 at its beginning to 1 at its end, for who draws frame by frame.
    /// [`Pose::cycle`](crate::Pose::cycle) says how long the whole takes, and whether it begins again.
    Frame(f32),
}

/// How a movement goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cycle {
    /// There is none.
    Still,
    /// It takes so many milliseconds, and then the creature stands still.
    Once(u32),
    /// It takes so many milliseconds and begins again.
    Again(u32),
}
