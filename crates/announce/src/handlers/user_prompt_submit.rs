//! `user_prompt_submit`: when you have sent a prompt.

use bellwether_protocol::event::Kind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::language::Words;
use crate::tell::{Moment, Priority, Said, Silence, Tell, is_typed};
use crate::{Presets, Sound, Voice};

/// The events that it is about.
pub(crate) const EVENTS: &[Kind] = &[Kind::UserPromptSubmit];

/// The announcement when you have sent a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Announce it.
    pub enabled: bool,
    /// The effect.
    pub sound: Sound,
    /// The voice.
    pub voice: Voice,
}

impl Presets for Config {
    fn full(_: &Words) -> Self {
        Self {
            enabled: false,
            sound: Sound {
                volume: 0.2,
                ..Sound::off()
            },
            voice: Voice::at(0.2).off(),
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
        if !is_typed(moment.event) {
            return Err(Silence::NotTyped);
        }
        // You know what you have said: only the effect is for you.
        let voice = self.voice.clone().off();
        Ok(Said::new("", &self.sound, &voice, Priority::Info))
    }
}
