//! `elicitation`: when an MCP server asks you something.

use crate::announcement::announcement;
use crate::language::Words;
use crate::tell::{Marker, Moment, Priority, Said, Silence, Tell};
use crate::{Presets, Sound, Voice};

announcement! {
    /// The announcement when an MCP server asks you something.
    on Elicitation("server", "message") {
        /// What is said; `{server}` is the server, `{message}` its question.
        pub message_template: String,
    }
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
        let text = moment.fill(&self.message_template, &values);
        Ok(self.says(text, Priority::Question))
    }
}
