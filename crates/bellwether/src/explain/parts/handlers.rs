//! Each handler of the hook: whether it wants the event, what it answers, and what it would have done.

use serde_json::{Value, json};

use super::{Context, reply_as_json};

pub(super) fn explain(context: &Context<'_>) -> Value {
    let handlers = context.answers.iter().map(|(handler, answer)| {
        let deed = answer.as_ref().and_then(|answer| answer.deed.as_ref());
        let later = answer
            .as_ref()
            .and_then(|answer| answer.afterwards.as_ref());
        let wait = answer.as_ref().and_then(|answer| answer.wait.as_ref());
        json!({
            "name": handler.name,
            "wants": answer.is_some(),
            "reply": answer.as_ref().map(|answer| reply_as_json(&answer.reply)),
            "would": deed.map(|deed| deed.about).or(later.map(|later| later.about)).or(wait.map(|wait| wait.about)),
        })
    });
    handlers.collect()
}
