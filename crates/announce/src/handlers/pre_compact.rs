//! `pre_compact`: when the context is about to be compacted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Presets, Sound, Voice};

/// The announcement when the context is about to be compacted.
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
    fn full() -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("blink", 0.2),
            voice: Voice::at(0.2),
            message: "Compacting context".into(),
        }
    }

    fn plain() -> Self {
        Self {
            enabled: false,
            ..Self::full()
        }
    }

    fn calm() -> Self {
        Self {
            enabled: false,
            ..Self::full()
        }
    }
}
