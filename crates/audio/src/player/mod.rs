//! Players: what brings samples to the speakers of a seat.

mod feed;
mod find;
pub(crate) mod gain;
mod program;
mod pulse;
mod traces;

use std::time::Instant;

use crate::{AudioError, Source, Stop};

pub(crate) use traces::Traces;

pub use find::{Considered, FoundPlayer, Verdict, find};
pub use pulse::{Pulse, Recording, Server};

/// What became of a sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// When its first sample left for the speakers, as exactly as the player knows.
    pub first_sample: Option<Instant>,
    /// Whether it was heard to its end.
    pub ending: Ending,
}

/// How a sound ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It was heard to its end.
    Whole,
    /// Somebody wished it to stop.
    Stopped,
}

pub trait Player {
    /// Its name, as the configuration and doctor call it.
    fn name(&self) -> &'static str;

    /// Plays a sound at a volume from 0.0 to 1.0 and comes back once it has been heard.
    fn play(
        &mut self,
        sound: &mut dyn Source,
        volume: f32,
        stop: &Stop,
    ) -> Result<Played, AudioError>;
}
