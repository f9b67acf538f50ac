//! `permission_request`: when the agent needs your permission.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Presets, Sound, Voice};

/// The announcement when the agent needs your permission.
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
            sound: Sound::effect("bell_call", 0.4),
            voice: Voice::at(0.4),
            message_template: "Approve {tool_name}?".into(),
        }
    }

    fn plain() -> Self {
        Self {
            sound: Sound::off(),
            voice: Voice::plain(),
            message_template: "Permission required for {tool_name}".into(),
            ..Self::full()
        }
    }

    fn calm() -> Self {
        Self::full()
    }
}
