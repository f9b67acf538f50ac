//! `task_completed`: when a task of the agent's list is done.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Presets, Sound, Voice};

/// The announcement when a task of the agent's list is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Announce it.
    pub enabled: bool,
    /// The effect.
    pub sound: Sound,
    /// The voice.
    pub voice: Voice,
    /// What is said; `{task_subject}` is the task.
    pub message_template: String,
    /// Longer subjects are cut.
    pub max_subject_length: u32,
}

impl Presets for Config {
    fn full() -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("harp_finish", 0.5),
            voice: Voice::at(0.5),
            message_template: "Task completed: {task_subject}".into(),
            max_subject_length: 80,
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
