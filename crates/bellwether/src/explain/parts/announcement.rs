//! What would be said of the event, or why nothing would: as if it were the first of its session, in
//! front of which somebody sits.

use bellwether_announce::Outcome;
use serde_json::{Value, json};

use super::Context;

pub(super) fn explain(context: &Context<'_>) -> Value {
    let told = &context.told;
    match &told.outcome {
        Outcome::Said(said) => json!({
            "handler": told.handler,
            "text": said.text,
            "sound": said.sound,
            "voice": said.voice,
            "priority": said.priority,
            "time_to_live_ms": said.time_to_live_ms,
        }),
        Outcome::Silent(silence) => json!({
            "handler": told.handler,
            "silent": silence.to_string(),
        }),
    }
}
