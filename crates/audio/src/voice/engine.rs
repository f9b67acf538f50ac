//! What an engine is to the rest.

use super::{Line, Tongue};
use crate::loudness::LOUDNESS;
use crate::{AudioError, Source, Stop};

pub trait Engine: Send + Sync {
    /// Its name, as `voice.chain` calls it.
    fn name(&self) -> &'static str;

    /// Whether it could speak, as far as can be told without asking anybody.
    fn ready(&self) -> Result<(), Lack>;

    /// Whether it has a voice for a language.
    fn speaks(&self, language: &Tongue) -> bool;

    /// The voices that it has. This may ask a service.
    fn voices(&self) -> Result<Vec<Known>, AudioError>;

    /// All that changes how a line sounds and does not stand in the line, for the cache.
    fn fingerprint(&self) -> String;

    /// How loud its loudest moments usually are, in LUFS. A line that is still being made begins at this.
    fn loudness(&self) -> f64 {
        LOUDNESS
    }

    /// Begins to speak. It comes back with the first samples at hand, so that whoever asked can still
    /// turn to another engine; the rest is made while those are heard.
    fn speak(&self, line: &Line, stop: &Stop) -> Result<Box<dyn Source>, AudioError>;
}

/// Why an engine cannot speak, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lack {
    pub reason: String,
    pub advice: String,
}

impl Lack {
    pub(super) fn of(reason: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            advice: advice.into(),
        }
    }
}

/// A voice that an engine has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// What to call it by in `voice.name` of an announcement.
    pub name: String,
    /// Its languages, as `en-US`; none when it speaks many.
    pub languages: Vec<String>,
    /// Something about it, perhaps empty.
    pub about: String,
}
