//! `post_tool_use_failure`: when a tool fails.

use bellwether_protocol::event::Kind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::language::Words;
use crate::tell::{Marker, Moment, Priority, Said, Silence, Tell, fill};
use crate::{Presets, Sound, Voice};

/// The events that it is about.
pub(crate) const EVENTS: &[Kind] = &[Kind::PostToolUseFailure];

/// The announcement when a tool fails.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Announce it.
    pub enabled: bool,
    /// The effect.
    pub sound: Sound,
    /// The voice.
    pub voice: Voice,
    /// What is said; `{tool_name}` is the tool.
    pub message_template: String,
}

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("error_buzz", 0.2),
            voice: Voice::at(0.2),
            message_template: words.tool_failed.into(),
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
        if moment.tool().is_some_and(|tool| tool.interrupted) {
            return Err(Silence::Interrupted);
        }
        let now_ms = moment.now_ms;
        moment.session.markers.mark(Marker::ToolFailure, now_ms);
        let tool = moment.tool_name();
        let name = tool.as_deref().unwrap_or(moment.words.some_tool);
        let text = fill(&self.message_template, &[("tool_name", name)]);
        Ok(Said::new(text, &self.sound, &self.voice, Priority::Failure))
    }
}
