//! `ask_user_question`: when the agent asks you something.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Presets, Sound, Voice};

/// The announcement when the agent asks you something.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Announce it.
    pub enabled: bool,
    /// The effect.
    pub sound: Sound,
    /// The voice.
    pub voice: Voice,
    /// Whether the question itself is said.
    pub message_mode: MessageMode,
    /// What is said when there is no question to be said.
    pub default_message: String,
}

/// Whether the question itself is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MessageMode {
    /// The question.
    Extract,
    /// Only that there is one.
    Generic,
}

impl Presets for Config {
    fn full() -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("bell_ring_1", 0.6),
            voice: Voice::at(0.6),
            message_mode: MessageMode::Extract,
            default_message: "Claude has a question for you".into(),
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
