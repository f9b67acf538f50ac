//! `user_prompt_submit`: when you have sent a prompt.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Presets, Sound, Voice};

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
    fn full() -> Self {
        Self {
            enabled: false,
            sound: Sound {
                volume: 0.2,
                ..Sound::off()
            },
            voice: Voice::at(0.2).off(),
        }
    }

    fn plain() -> Self {
        Self::full()
    }

    fn calm() -> Self {
        Self::full()
    }
}
