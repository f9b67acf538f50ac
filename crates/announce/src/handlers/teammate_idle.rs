//! `teammate_idle`: when a teammate has nothing to do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Presets, Sound, Voice};

/// The announcement when a teammate has nothing to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Announce it.
    pub enabled: bool,
    /// The effect.
    pub sound: Sound,
    /// The voice.
    pub voice: Voice,
    /// What is said; `{teammate_name}` is its name.
    pub message_template: String,
}

impl Presets for Config {
    fn full() -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("marimba_nudge_1", 0.5),
            voice: Voice::at(0.5),
            message_template: "{teammate_name} is idle".into(),
        }
    }

    fn plain() -> Self {
        Self {
            enabled: false,
            ..Self::full()
        }
    }

    fn calm() -> Self {
        Self::full()
    }
}
