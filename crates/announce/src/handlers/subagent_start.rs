//! `subagent_start`: when a subagent begins.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Presets, Sound, Voice};

/// The announcement when a subagent begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Announce it.
    pub enabled: bool,
    /// The effect.
    pub sound: Sound,
    /// The voice.
    pub voice: Voice,
    /// What is said; `{agent_type}` is its type.
    pub message_template: String,
}

impl Presets for Config {
    fn full() -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("coin_simple", 0.2),
            voice: Voice::at(0.2),
            message_template: "Subagent {agent_type} started".into(),
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
