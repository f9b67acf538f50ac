//! The parts of an explanation: one file each, one `mod` line below.

use bellwether_protocol::reply::{Decision, Reply};
use serde_json::{Value, json};

use super::Context;

/// One part, as its file describes it.
pub(super) struct Part {
    /// Its name in the explanation: that of its file.
    pub name: &'static str,
    /// What it says about an event.
    pub explain: fn(&Context<'_>) -> Value,
}

macro_rules! parts {
    ($($name:ident),* $(,)?) => {
        /// Every part, in the order in which they are shown.
        pub(super) const ALL: &[Part] = &[$(Part {
            name: stringify!($name),
            explain: $name::explain,
        }),*];
    };
}

mod event;
mod handlers;
mod guard;
mod gate;
mod format;
mod reply;
mod announcement;
mod normalised;
mod agent;
mod journal;
mod registered;

bellwether_listed::modules!(parts, "src/explain/parts/mod.rs");

/// What a part says that cannot say anything: the others still can.
fn failed(error: impl std::fmt::Display) -> Value {
    json!({ "error": error.to_string() })
}

/// A reply before any client's wire format.
fn reply_as_json(reply: &Reply) -> Value {
    let decision = reply.decision.as_ref().map(|decision| match decision {
        Decision::Allow => "allow",
        Decision::Ask(_) => "ask",
        Decision::Block(_) => "block",
        Decision::Deny(_) => "deny",
    });
    without_nothing(json!({
        "decision": decision,
        "reason": reply.decision.as_ref().and_then(Decision::reason),
        "context": reply.context,
        "message": reply.message,
    }))
}

/// An object without the fields that say nothing.
fn without_nothing(mut value: Value) -> Value {
    if let Value::Object(fields) = &mut value {
        fields.retain(|_, value| !value.is_null());
    }
    value
}
