//! `post_tool_use_failure`: when a tool fails.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Presets, Sound, Voice};

/// The announcement when a tool fails.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Announce it.
    pub enabled: bool,
    /// The effect.
    pub sound: Sound,
    /// The voice.
    pub voice: Voice,
    /// What is said; `{tool_name}` is the tool.
    pub message_template: String,
}

impl Presets for Config {
    fn full() -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("error_buzz", 0.2),
            voice: Voice::at(0.2),
            message_template: "{tool_name} failed".into(),
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
