//! `ask_user_question`: when the agent asks you something.

use bellwether_protocol::event::Asked;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::announcement::announcement;
use crate::language::Words;
use crate::tell::{Marker, Moment, Priority, Said, Silence, Tell};
use crate::{Presets, Sound, Voice, speech, summarise};

announcement! {
    /// The announcement when the agent asks you something.
    on PostToolUse("question") {
        /// Whether the question itself is said.
        pub message_mode: MessageMode,
        /// How it is said; `{question}` is the question.
        pub message_template: String,
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
    /// What is asked, without who asks it.
    pub(crate) fn question(&self, moment: &Moment<'_>, asked: &Asked) -> String {
        let question = match asked {
            Asked::Question(question) if self.message_mode == MessageMode::Extract => {
                summarise::short_question(&speech::whole(question))
            }
            _ => String::new(),
        };
        if question.is_empty() {
            moment.fill(&self.default_message, &[])
        } else {
            question
        }
    }

    /// How a question is told.
    pub(crate) fn told(&self, moment: &Moment<'_>, question: &str) -> String {
        moment.fill(&self.message_template, &[("question", question)])
    }
}

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("bell_ring_1", 0.6),
            voice: Voice::at(0.6),
            message_mode: MessageMode::Extract,
            message_template: "{question}".into(),
            default_message: words.question.into(),
        }
    }

    fn calm(words: &Words) -> Self {
        Self {
            message_template: words.asks.into(),
            ..Self::full(words)
        }
    }
}

impl Tell for Config {
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        let asked = moment.asked().ok_or(Silence::OtherTool)?;
        moment.session.markers.mark(Marker::AskUser, moment.now_ms);
        let question = self.question(moment, &asked);
        if let Asked::Question(question) = &asked
            && moment.session.ask(question)
        {
            return Err(Silence::AlreadyTold);
        }
        Ok(self.says(self.told(moment, &question), Priority::Question))
    }
}
