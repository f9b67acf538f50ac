//! `stop`: when the agent has finished or waits for you.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Mode, Presets, Sound, Start, Summary, Voice};

/// The announcement when the agent has finished or waits for you.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Announce it.
    pub enabled: bool,
    /// The effect.
    pub sound: Sound,
    /// The voice.
    pub voice: Voice,
    /// How much of what the agent said last.
    pub summary: Summary,
    /// Turns shorter than this have the effect only.
    pub min_turn_seconds: u32,
}

impl Presets for Config {
    fn full() -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("ui_open_1", 0.2),
            voice: Voice::at(0.2),
            summary: Summary::default(),
            min_turn_seconds: 0,
        }
    }

    fn plain() -> Self {
        Self {
            sound: Sound::off(),
            voice: Voice::plain(),
            summary: Summary {
                mode: Mode::Full,
                max_characters: 500,
                start: Start::Beginning,
                ..Summary::default()
            },
            ..Self::full()
        }
    }

    fn calm() -> Self {
        Self {
            min_turn_seconds: 20,
            ..Self::full()
        }
    }
}
