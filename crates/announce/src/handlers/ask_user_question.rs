//! `ask_user_question`: when the agent asks you something.

use bellwether_protocol::event::Asked;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::announcement::announcement;
use crate::language::Words;
use crate::tell::{Marker, Moment, Priority, Said, Silence, Tell};
use crate::{Presets, Sound, Voice, speech};

announcement! {
    /// The announcement when the agent asks you something.
    on PostToolUse {
        /// Whether the question itself is said.
        pub message_mode: MessageMode,
        /// What is said when there is no question to be said.
        pub default_message: String,
    }
}

/// Whether the words of the agent itself are said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MessageMode {
    /// They are.
    Extract,
    /// Only what stands in the settings is.
    Generic,
}

impl Config {
    /// How a question is told.
    pub(crate) fn question(&self, asked: &Asked) -> String {
        let question = match asked {
            Asked::Question(question) if self.message_mode == MessageMode::Extract => {
                speech::whole(question)
            }
            _ => String::new(),
        };
        if question.is_empty() {
            self.default_message.clone()
        } else {
            question
        }
    }
}

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("bell_ring_1", 0.6),
            voice: Voice::at(0.6),
            message_mode: MessageMode::Extract,
            default_message: words.question.into(),
        }
    }
}

impl Tell for Config {
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        let asked = moment.asked().ok_or(Silence::OtherTool)?;
        moment.session.markers.mark(Marker::AskUser, moment.now_ms);
        let text = self.question(&asked);
        if let Asked::Question(question) = &asked
            && moment.session.ask(question)
        {
            return Err(Silence::AlreadyTold);
        }
        Ok(self.says(text, Priority::Question))
    }
}
