//! `session_start`: when a session begins.

use bellwether_protocol::event::Kind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::language::Words;
use crate::tell::{Moment, Priority, Said, Silence, Tell};
use crate::{Presets, Sound, Voice};

/// The events that it is about.
pub(crate) const EVENTS: &[Kind] = &[Kind::SessionStart];

/// The announcement when a session begins.
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
            sound: Sound::effect("ui_open_2", 0.2),
            voice: Voice::at(0.2),
            message: words.session_started.into(),
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
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        // The client begins a session anew, so to speak, when it has compacted it.
        if moment.event.detail.as_deref() == Some("compact") {
            return Err(Silence::Compaction);
        }
        let text = self.message.as_str();
        Ok(Said::new(text, &self.sound, &self.voice, Priority::Info))
    }
}
