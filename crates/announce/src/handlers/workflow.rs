//! `workflow`: when a phase of planned work has ended, or waits for the person.

use bellwether_workflow::{By, Moved, MovedHow, WaitsFor};

use crate::announcement::announcement;
use crate::language::Words;
use crate::tell::{Moment, Priority, Said, Silence, Tell};
use crate::{Presets, Sound, Voice};

announcement! {
    /// The announcement when a phase of planned work has ended, or waits for you.
    on Other("feature", "phase", "next") {
        /// What is said when a phase has ended; `{feature}` is the feature, `{phase}` the phase, `{next}` the one that begins.
        pub message_template: String,
        /// What is said when a feature waits until you let it go on.
        pub waits_template: String,
        /// What is said when work was taken up again as often as is allowed.
        pub limit_template: String,
        /// What is said when a feature is finished.
        pub finished_template: String,
    }
}

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("marimba_success", 0.4),
            voice: Voice::at(0.4),
            message_template: words.phase_ended.into(),
            waits_template: words.phase_waits.into(),
            limit_template: words.rounds_over.into(),
            finished_template: words.feature_finished.into(),
        }
    }
}

impl Config {
    /// The words for what has happened. What the person has just done they know.
    fn template(&self, moved: &Moved) -> Option<&str> {
        match (moved.how, moved.waits_for) {
            _ if moved.by == By::Person => None,
            (MovedHow::Moved, _) => Some(&self.message_template),
            (MovedHow::Finished, _) => Some(&self.finished_template),
            (MovedHow::Waits, Some(WaitsFor::Limit)) => Some(&self.limit_template),
            (MovedHow::Waits, Some(waits)) if waits.is_person() => Some(&self.waits_template),
            _ => None,
        }
    }
}

impl Tell for Config {
    fn concerns(&self, moment: &Moment<'_>) -> bool {
        moment
            .workflow
            .is_some_and(|moved| self.template(moved).is_some())
    }

    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        let moved = moment.workflow.ok_or(Silence::NoHandler)?;
        let template = self.template(moved).ok_or(Silence::NoHandler)?;
        let spoken = |text: &str| Moment::spoken(Some(text)).unwrap_or_default();
        let ended = moved.ended.as_deref().unwrap_or(&moved.phase);
        let next = moved.next.as_deref().unwrap_or(&moved.phase);
        let values = [
            ("feature", spoken(&moved.feature)),
            ("phase", spoken(ended)),
            ("next", spoken(next)),
        ];
        let values: Vec<(&str, &str)> = values
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let text = moment.fill(template, &values);
        Ok(self.says(text, Priority::Done))
    }
}
