//! `post_compact`: when the context was compacted.

use bellwether_protocol::event::Kind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::language::Words;
use crate::tell::{Moment, Priority, Said, Silence, Tell};
use crate::{Presets, Sound, Voice};

/// The events that it is about.
pub(crate) const EVENTS: &[Kind] = &[Kind::PostCompact];

/// The announcement when the context was compacted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Announce it.
    pub enabled: bool,
    /// The effect.
    pub sound: Sound,
    /// The voice.
    pub voice: Voice,
    /// What is said.
    pub message: String,
}

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: false,
            sound: Sound::effect("blink", 0.2),
            voice: Voice::at(0.2),
            message: words.compacted.into(),
        }
    }

    fn plain(words: &Words) -> Self {
        Self::full(words)
    }

    fn calm(words: &Words) -> Self {
        Self::full(words)
    }
}

impl Tell for Config {
    fn tell(&self, _: &mut Moment<'_>) -> Result<Said, Silence> {
        let text = self.message.as_str();
        Ok(Said::new(text, &self.sound, &self.voice, Priority::Info))
    }
}
