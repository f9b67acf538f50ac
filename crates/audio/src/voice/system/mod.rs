//! The voices that systems bring: one file a program, one `mod` line below. A file says whether
//! its program is there (`find`), which voices it has, and how it is asked to speak.
//!
//! `spd-say` is not among them: it plays by itself, beside our queue, and gives no samples.

mod espeak_ng;
mod sapi;
mod say;

use super::feed::Maker;
use super::program::Trouble;
use super::{Known, Line, Tongue};
use crate::loudness::LOUDNESS;

/// A program of the system that speaks.
pub(super) trait Voice: Send + Sync {
    fn name(&self) -> &'static str;

    /// How loud its loudest moments usually are, in LUFS.
    fn loudness(&self) -> f64 {
        LOUDNESS
    }

    /// The voices that it has.
    fn voices(&self) -> Vec<Known>;

    /// Speaks into a feed, by a voice of its own if it has none of that name.
    fn speak(&self, line: &Line, language: &Tongue, maker: &mut Maker) -> Result<(), Trouble>;
}

/// How a program is looked for.
type Find = fn() -> Option<Box<dyn Voice>>;

/// Every program, the most pleasant first.
pub(super) const ALL: &[(&str, Find)] = &[
    ("say", say::find),
    ("sapi", sapi::find),
    ("espeak-ng", espeak_ng::find),
];
