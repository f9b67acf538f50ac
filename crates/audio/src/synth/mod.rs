//! The synthesiser: notes in, samples out. A handful of ways to make a tone, and a room.
//!
//! Everything is a function of its numbers: the same patch gives the same samples.

mod body;
mod crush;
mod envelope;
mod noise;
mod note;
mod pluck;
mod render;
mod room;

pub(crate) use body::{Body, Mode, Series};
pub(crate) use crush::Crush;
pub(crate) use note::{Note, note};
pub(crate) use render::{Patch, render};

/// Samples a second.
pub(crate) const RATE: u32 = 48_000;
/// The same for reckoning.
pub(crate) const RATE_F: f32 = 48_000.0;
