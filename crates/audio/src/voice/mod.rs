//! Voices: what turns a line into sound.

use crate::{AudioError, Source, Stop};

/// What is to be said, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The words, masked and sanitised.
    pub text: String,
    /// Whose voice; an unknown name means the engine's own.
    pub voice: String,
    /// Words a minute.
    pub rate: u32,
    /// How high, 1.0 being the voice's own.
    pub pitch: f32,
}

/// Something that speaks.
pub trait Engine: Send + Sync {
    /// Its name, as `voice.chain` calls it.
    fn name(&self) -> &'static str;

    /// Begins to speak. It comes back with the first samples at hand, so that whoever asked can still
    /// turn to another engine; the rest is made while those are heard.
    fn speak(&self, line: &Line, stop: &Stop) -> Result<Box<dyn Source>, AudioError>;
}
