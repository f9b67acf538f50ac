//! `notification`: when the client notifies you.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Presets, Sound, Voice};

/// The announcement when the client notifies you.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Announce it.
    pub enabled: bool,
    /// The effect.
    pub sound: Sound,
    /// The voice.
    pub voice: Voice,
    /// What is said when the agent has waited for you.
    pub idle_message: String,
    /// What is said when you have been logged in.
    pub auth_message: String,
    /// What is said of anything else that has no words of its own.
    pub default_message: String,
}

impl Presets for Config {
    fn full() -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("bell_ring_1", 0.2),
            voice: Voice::at(0.2),
            idle_message: "Claude is idle".into(),
            auth_message: "Auth successful".into(),
            default_message: "Notification".into(),
        }
    }

    fn plain() -> Self {
        Self {
            sound: Sound::off(),
            voice: Voice::plain(),
            ..Self::full()
        }
    }

    fn calm() -> Self {
        Self::full()
    }
}
