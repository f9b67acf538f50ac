//! `permission_denied`: when a tool is refused without asking you.

use bellwether_protocol::event::Kind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::language::Words;
use crate::tell::{Moment, Priority, Said, Silence, Tell, fill};
use crate::{Presets, Sound, Voice};

/// The events that it is about.
pub(crate) const EVENTS: &[Kind] = &[Kind::PermissionDenied];

/// The announcement when a tool is refused without asking you.
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
            sound: Sound::effect("error_deny", 0.4),
            voice: Voice::at(0.4),
            message_template: words.tool_denied.into(),
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
        let tool = moment.tool_name();
        let name = tool.as_deref().unwrap_or(moment.words.some_tool);
        let text = fill(&self.message_template, &[("tool_name", name)]);
        Ok(Said::new(text, &self.sound, &self.voice, Priority::Failure))
    }
}
