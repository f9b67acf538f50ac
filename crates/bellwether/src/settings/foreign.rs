//! What in a file is not ours, in a form that can be compared: before a file is written, the new
//! text and the old one must agree in this.
//!
//! It is every token in its own spelling and order, without white space, without our handlers and
//! without the empty groups, events and `hooks` that they may leave.

use super::document::Document;
use super::json::{Node, Value};
use super::ours::{Runs, runs};

/// Everything in it that is not ours.
pub(super) fn foreign(document: &Document) -> String {
    let text = document.text();
    let members = document.root().members().iter().filter_map(|member| {
        let value = if member.name == "hooks" {
            events(text, &member.value)?
        } else {
            tokens(text, &member.value)
        };
        Some(format!("{:?}:{value}", member.name))
    });
    members.collect::<Vec<_>>().join(",")
}

fn events(text: &str, hooks: &Node) -> Option<String> {
    let Value::Object(events) = &hooks.value else {
        return Some(tokens(text, hooks));
    };
    let kept = events.iter().filter_map(|event| {
        let groups = match &event.value.value {
            Value::Array(items) => filled(items.iter().filter_map(|item| group(text, item)))?,
            _ => tokens(text, &event.value),
        };
        Some(format!("{:?}:{groups}", event.name))
    });
    filled(kept)
}

fn group(text: &str, group: &Node) -> Option<String> {
    if group.members().is_empty() {
        return Some(tokens(text, group));
    }
    let members = group.members().iter().map(|member| {
        let value = match &member.value.value {
            Value::Array(handlers) if member.name == "hooks" => {
                let others = handlers.iter().filter(|handler| runs(handler) != Runs::Us);
                filled(others.map(|handler| tokens(text, handler)))?
            }
            _ => tokens(text, &member.value),
        };
        Some(format!("{:?}:{value}", member.name))
    });
    // A group without a handler is as good as none.
    let members: Option<Vec<String>> = members.collect();
    Some(format!("{{{}}}", members?.join(",")))
}

fn filled(parts: impl Iterator<Item = String>) -> Option<String> {
    let parts: Vec<String> = parts.collect();
    (!parts.is_empty()).then(|| format!("[{}]", parts.join(",")))
}

/// The tokens of a value, each as it is spelled.
fn tokens(text: &str, node: &Node) -> String {
    let joined = |parts: Vec<String>| parts.join(",");
    match &node.value {
        Value::Array(items) => {
            format!(
                "[{}]",
                joined(items.iter().map(|item| tokens(text, item)).collect())
            )
        }
        Value::Object(members) => {
            let member = |member: &super::json::Member| {
                format!("{:?}:{}", member.name, tokens(text, &member.value))
            };
            format!("{{{}}}", joined(members.iter().map(member).collect()))
        }
        _ => text.get(node.span.clone()).unwrap_or_default().to_owned(),
    }
}
