//! What would go into the journal. The size includes what the hook knows beside the payload, here
//! taken from this process's own environment.

use bellwether_hook::{CalledBy, Handled};
use bellwether_spine::journal::Keep;
use serde_json::{Value, json};

use super::{Context, failed};

pub(super) fn explain(context: &Context<'_>) -> Value {
    let handled = Handled {
        event: context.event,
        text: context.text,
        reply: &context.reply,
        rendered: &context.rendered,
        audit: None,
        ruling: context.ruling.as_ref(),
    };
    let keep = match handled.keep() {
        Keep::IfRoom => "if_room",
        Keep::IfMuchRoom => "if_much_room",
        Keep::Always => "always",
    };
    let caller = CalledBy {
        client: context.client,
        ..CalledBy::default()
    };
    match handled.record(caller) {
        Ok((record, _)) => json!({ "keep": keep, "bytes": record.len() }),
        Err(error) => failed(error),
    }
}
