//! `elicitation`: when an MCP server asks you something.

use bellwether_protocol::event::Kind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::language::Words;
use crate::tell::{Marker, Moment, Priority, Said, Silence, Tell, fill};
use crate::{Presets, Sound, Voice};

/// The events that it is about.
pub(crate) const EVENTS: &[Kind] = &[Kind::Elicitation];

/// The announcement when an MCP server asks you something.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Announce it.
    pub enabled: bool,
    /// The effect.
    pub sound: Sound,
    /// The voice.
    pub voice: Voice,
    /// What is said; `{server}` is the server, `{message}` its question.
    pub message_template: String,
}

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("bell_ring_1", 0.6),
            voice: Voice::at(0.6),
            message_template: words.server_asks.into(),
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
        let now_ms = moment.now_ms;
        moment.session.markers.mark(Marker::Elicitation, now_ms);
        let server = Moment::spoken(moment.event.mcp_server.as_deref());
        let server = server.as_deref().unwrap_or(moment.words.some_server);
        let message = Moment::spoken(moment.event.message.as_deref());
        let message = message.as_deref().unwrap_or(moment.words.question);
        let values = [("server", server), ("message", message)];
        let text = fill(&self.message_template, &values);
        Ok(Said::new(
            text,
            &self.sound,
            &self.voice,
            Priority::Question,
        ))
    }
}
