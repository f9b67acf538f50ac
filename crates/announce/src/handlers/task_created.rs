//! `task_created`: when the agent puts a task on its list.

use bellwether_protocol::event::Kind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::task_completed::{cut, subject};
use crate::language::Words;
use crate::tell::{Moment, Priority, Said, Silence, Tell, fill};
use crate::{Presets, Sound, Voice};

/// The events that it is about.
pub(crate) const EVENTS: &[Kind] = &[Kind::TaskCreated];

/// The announcement when the agent puts a task on its list.
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
    fn full(words: &Words) -> Self {
        Self {
            enabled: false,
            sound: Sound::effect("coin_dual", 0.2),
            voice: Voice::at(0.2),
            message_template: words.task_created.into(),
            max_subject_length: 80,
        }
    }

    fn plain(words: &Words) -> Self {
        Self::full(words)
    }

    fn calm(words: &Words) -> Self {
        Self::full(words)
    }
}

impl Tell for Config {
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        let subject = subject(moment);
        let subject = subject.as_deref().unwrap_or(moment.words.some_task);
        let subject = cut(subject, self.max_subject_length, true);
        let text = fill(&self.message_template, &[("task_subject", &subject)]);
        Ok(Said::new(text, &self.sound, &self.voice, Priority::Info))
    }
}
