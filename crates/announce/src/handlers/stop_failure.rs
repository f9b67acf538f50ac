//! `stop_failure`: when a turn ends in an error of the API.

use bellwether_protocol::event::Kind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::language::Words;
use crate::tell::{Moment, Priority, Said, Silence, Tell, fill};
use crate::{Presets, Sound, Voice};

/// The events that it is about.
pub(crate) const EVENTS: &[Kind] = &[Kind::StopFailure];

/// The announcement when a turn ends in an error of the API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Announce it.
    pub enabled: bool,
    /// The effect.
    pub sound: Sound,
    /// The voice.
    pub voice: Voice,
    /// What is said; `{error}` is the kind of error.
    pub message_template: String,
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

    fn plain(words: &Words) -> Self {
        Self {
            enabled: false,
            ..Self::full(words)
        }
    }

    fn calm(words: &Words) -> Self {
        Self::full(words)
    }
}

impl Tell for Config {
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        let error = Moment::spoken(moment.event.detail.as_deref());
        let error = error.map(|error| error.replace('_', " "));
        let error = error.as_deref().unwrap_or(moment.words.some_error);
        let text = fill(&self.message_template, &[("error", error)]);
        Ok(Said::new(text, &self.sound, &self.voice, Priority::Failure))
    }
}
