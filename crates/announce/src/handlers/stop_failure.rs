//! `stop_failure`: when a turn ends in an error of the API.

use crate::announcement::announcement;
use crate::language::Words;
use crate::tell::{Moment, Priority, Said, Silence, Tell};
use crate::{Presets, Sound, Voice};

announcement! {
    /// The announcement when a turn ends in an error of the API.
    on StopFailure("error") {
        /// What is said; `{error}` is the kind of error.
        pub message_template: String,
    }
}

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("error_slow", 0.4),
            voice: Voice::at(0.4),
            message_template: words.turn_failed.into(),
        }
    }
}

/// Its name: once it was spoken, nothing is said of the idle agent.
pub(crate) const NAME: &str = "stop_failure";

impl Tell for Config {
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        let error = Moment::spoken(moment.event.detail.as_deref());
        let error = error.map(|error| error.replace('_', " "));
        let error = error.as_deref().unwrap_or(moment.words.some_error);
        let text = moment.fill(&self.message_template, &[("error", error)]);
        Ok(self.says(text, Priority::Failure))
    }
}
