//! `subagent_start`: when a subagent begins.

use bellwether_protocol::event::Kind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::language::Words;
use crate::tell::{Moment, Priority, Said, Silence, Tell, fill};
use crate::{Presets, Sound, Voice};

/// The events that it is about.
pub(crate) const EVENTS: &[Kind] = &[Kind::SubagentStart];

/// The announcement when a subagent begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Announce it.
    pub enabled: bool,
    /// The effect.
    pub sound: Sound,
    /// The voice.
    pub voice: Voice,
    /// What is said; `{agent_type}` is its type.
    pub message_template: String,
}

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("coin_simple", 0.2),
            voice: Voice::at(0.2),
            message_template: words.subagent_started.into(),
        }
    }

    fn plain(words: &Words) -> Self {
        Self {
            enabled: false,
            ..Self::full(words)
        }
    }

    fn calm(words: &Words) -> Self {
        Self {
            enabled: false,
            ..Self::full(words)
        }
    }
}

impl Tell for Config {
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        let kind = moment.event.agent.as_ref();
        let kind = Moment::spoken(kind.and_then(|agent| agent.kind.as_deref()));
        let name = kind.as_deref().unwrap_or(moment.words.some_agent);
        let text = fill(&self.message_template, &[("agent_type", name)]);
        Ok(Said::new(text, &self.sound, &self.voice, Priority::Info))
    }
}
