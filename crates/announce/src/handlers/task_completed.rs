//! `task_completed`: when a task of the agent's list is done.

use crate::announcement::announcement;
use crate::language::Words;
use crate::tell::{Moment, Priority, Said, Silence, Tell};
use crate::{Presets, Sound, Voice};

announcement! {
    /// The announcement when a task of the agent's list is done.
    on TaskCompleted("task_subject") {
        /// What is said; `{task_subject}` is the task.
        pub message_template: String,
        /// Longer subjects are cut.
        #[schemars(range(min = 0, max = 10_000))]
        pub max_subject_length: u32,
        /// A cut subject ends in "...", within its length.
        pub ellipsis: bool,
        /// What is said of a task without a subject, or with one of three characters or fewer; empty: the template, with a word for a missing one.
        pub fallback_message: String,
    }
}

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("harp_finish", 0.5),
            voice: Voice::at(0.5),
            message_template: words.task_completed.into(),
            max_subject_length: 80,
            ellipsis: true,
            fallback_message: String::new(),
        }
    }

    fn plain(words: &Words) -> Self {
        Self {
            sound: Sound::off(),
            voice: Voice::plain(),
            ellipsis: false,
            fallback_message: words.task_of_some.into(),
            ..Self::full(words)
        }
    }
}

/// A subject of so many characters says nothing.
const SHORTEST: usize = 4;

impl Tell for Config {
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        let subject = subject(moment);
        let short = |subject: &String| subject.chars().count() < SHORTEST;
        let missing = subject.as_ref().is_none_or(short);
        let text = if missing && !self.fallback_message.is_empty() {
            moment.fill(&self.fallback_message, &[])
        } else {
            let subject = subject.unwrap_or_else(|| moment.words.some_task.to_owned());
            let subject = cut(&subject, self.max_subject_length, self.ellipsis);
            moment.fill(&self.message_template, &[("task_subject", &subject)])
        };
        Ok(self.says(text, Priority::Info))
    }
}

/// The subject of the event's task, as it is spoken.
pub(super) fn subject(moment: &Moment<'_>) -> Option<String> {
    let task = moment.event.task.as_ref();
    Moment::spoken(task.and_then(|task| task.subject.as_deref()))
}

/// A subject of at most so many characters.
pub(super) fn cut(subject: &str, most: u32, ellipsis: bool) -> String {
    let most = most as usize;
    if subject.chars().count() <= most {
        return subject.to_owned();
    }
    let dots = if ellipsis { "..." } else { "" };
    let kept = most.saturating_sub(dots.len());
    subject.chars().take(kept).chain(dots.chars()).collect()
}
