//! How things of other crates are shown here.

use bellwether_announce::{Outcome, Priority};
use schemars::JsonSchema;
use serde::Serialize;

use crate::Decided;

/// What came of one event: words, or the reason for silence.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AnnouncementView {
    /// Its place in the order of decisions.
    pub number: u64,
    /// When the event happened, milliseconds since 1970.
    pub at_ms: u64,
    /// The event.
    pub event: String,
    /// Its session.
    pub session_id: String,
    /// The handler that it concerned.
    pub handler: Option<String>,
    /// What was said; masked.
    pub text: Option<String>,
    /// How much it mattered: `question`, `failure`, `done` or `info`.
    pub priority: Option<&'static str>,
    /// Why nothing was said.
    pub silence: Option<String>,
}

impl From<Decided> for AnnouncementView {
    fn from(decided: Decided) -> Self {
        let (text, priority, silence) = match decided.outcome {
            Outcome::Said(said) => (Some(said.text), Some(name(said.priority)), None),
            Outcome::Silent(silence) => (None, None, Some(silence.to_string())),
        };
        Self {
            number: decided.number,
            at_ms: decided.at_ms,
            event: decided.event,
            session_id: decided.session,
            handler: decided.handler,
            text,
            priority,
            silence,
        }
    }
}

fn name(priority: Priority) -> &'static str {
    match priority {
        Priority::Question => "question",
        Priority::Failure => "failure",
        Priority::Done => "done",
        Priority::Info => "info",
    }
}
