//! `task_created`: when the agent puts a task on its list.

use super::task_completed::{cut, subject};
use crate::announcement::announcement;
use crate::language::Words;
use crate::tell::{Moment, Priority, Said, Silence, Tell};
use crate::{Presets, Sound, Voice};

announcement! {
    /// The announcement when the agent puts a task on its list.
    on TaskCreated("task_subject") {
        /// What is said; `{task_subject}` is the task.
        pub message_template: String,
        /// Longer subjects are cut.
        #[schemars(range(min = 0, max = 10_000))]
        pub max_subject_length: u32,
    }
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
}

impl Tell for Config {
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        let subject = subject(moment);
        let subject = subject.as_deref().unwrap_or(moment.words.some_task);
        let subject = cut(subject, self.max_subject_length, true);
        let text = moment.fill(&self.message_template, &[("task_subject", &subject)]);
        Ok(self.says(text, Priority::Info))
    }
}
