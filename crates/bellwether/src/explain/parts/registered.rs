//! Whether the client would tell us this event at all: who wants it, and whether this version has it.

use bellwether_hook::handlers;
use serde_json::{Value, json};

use super::Context;

pub(super) fn explain(context: &Context<'_>) -> Value {
    let kind = context.event.kind;
    let wanted_by: Vec<&str> = handlers::ALL
        .iter()
        .filter(|handler| handler.wants(kind))
        .map(|handler| handler.name)
        .collect();
    let registration = handlers::registrations()
        .into_iter()
        .find(|registration| registration.kind == kind);
    let known = context.client.entry(kind).is_some();
    json!({
        "wanted_by": wanted_by,
        "timeout_s": registration.map(|registration| registration.timeout_s),
        "known_to_client": known,
    })
}
