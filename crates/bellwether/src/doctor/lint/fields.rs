//! What a hook says that has no effect, or another than was meant.

use bellwether_protocol::client::Client;

use super::{Looked, Remark};
use crate::doctor::finding::Level;
use crate::settings::check::FileKind;
use crate::settings::json::{Node, Value};

/// Fields that are looked at by name.
const TIMEOUT: &str = "timeout";
const IF: &str = "if";
const ONCE: &str = "once";

pub(super) fn remarks(hook: &Looked<'_>, client: Client) -> Vec<Remark> {
    let handler = hook.entry.handler();
    let timeout = handler.get(TIMEOUT).and_then(Node::as_number);
    unknown(handler, client)
        .chain(timeout.and_then(milliseconds))
        .chain(without_tool(hook, client))
        .chain(every_time(hook, client))
        .collect()
}

/// Fields that this version does not know. Those of a wrong type are named where the file is checked.
fn unknown(handler: &Node, client: Client) -> impl Iterator<Item = Remark> {
    let fields = client.product.wire().fields.iter();
    fields.filter_map(move |field| {
        let instead = field
            .unknown
            .filter(|_| !field.support.has(client.version))?;
        let value = handler.get(field.name)?;
        (!says_nothing(value)).then_some(())?;
        let what = format!("{client} does not know `{}`, so it {instead}", field.name);
        let advice = format!(
            "it is known since {}: update Claude Code",
            field.support.since
        );
        Some(Remark::new(Level::Warning, what, advice))
    })
}

/// `false` and an empty list are what a version without the field does anyway.
fn says_nothing(value: &Node) -> bool {
    let is_empty = matches!(&value.value, Value::Array(items) if items.is_empty());
    is_empty || value.value == Value::Bool(false)
}

/// A timeout in whole thousands is meant in milliseconds, but for one that is minutes or hours.
fn milliseconds(timeout: f64) -> Option<Remark> {
    let looks_so = timeout >= 1000.0 && timeout % 500.0 == 0.0;
    looks_so.then(|| {
        let minutes = (timeout / 60.0).floor();
        let what = format!("`timeout` is in seconds: {timeout} are {minutes} minutes");
        let advice = format!("write {}, if milliseconds were meant", timeout / 1000.0);
        Remark::new(Level::Warning, what, advice)
    })
}

/// A condition on something that the event is not about.
fn without_tool(hook: &Looked<'_>, client: Client) -> Option<Remark> {
    let field = client.product.wire().fields.iter();
    let known = field
        .filter(|field| field.name == IF)
        .any(|field| field.support.has(client.version));
    let entry = client.entry(client.kind_of(hook.entry.event))?;
    let has = hook.entry.handler().get(IF).is_some();
    (known && has && !entry.is_of_tool()).then(|| {
        let what = format!(
            "`if` is about tool calls, and {} is not: the hook never runs",
            entry.name
        );
        Remark::new(Level::Warning, what, "remove `if`")
    })
}

/// The client obeys it in skills alone.
fn every_time(hook: &Looked<'_>, client: Client) -> Option<Remark> {
    let field = client.product.wire().fields.iter();
    let known = field
        .filter(|field| field.name == ONCE)
        .any(|field| field.support.has(client.version));
    let once = hook.entry.handler().get(ONCE)?;
    let is_set = once.value == Value::Bool(true);
    (known && is_set && hook.kind == FileKind::Settings).then(|| {
        let what = "`once` has no effect in settings: the hook runs every time";
        Remark::new(Level::Note, what, "remove `once`")
    })
}
