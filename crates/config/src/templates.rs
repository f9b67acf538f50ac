//! Messages of announcements that have a placeholder which nobody fills in.

use bellwether_announce::template;
use bellwether_spine::config::{Node, Problem, Value, nearest};

/// The first such message of a tree.
pub(crate) fn problem(tree: &Node) -> Option<Problem> {
    let handlers = tree.get("hooks").map(Node::entries).unwrap_or_default();
    handlers.iter().find_map(|(handler, settings)| {
        let mut settings = settings.entries().iter();
        settings.find_map(|(key, node)| {
            let (message, suggestion) = complaint(&handler.text, node)?;
            Some(Problem {
                place: node.place.clone(),
                path: format!("hooks.{}.{}", handler.text, key.text),
                message,
                suggestion,
            })
        })
    })
}

fn complaint(handler: &str, node: &Node) -> Option<(String, Option<String>)> {
    let Value::Text(message) = &node.value else {
        return None;
    };
    let unknown = template::unknown(handler, message)?;
    let braced = |name: &str| format!("{{{name}}}");
    let suggestion = nearest(unknown.written.trim(), &unknown.known);
    let known: Vec<String> = unknown.known.iter().map(|name| braced(name)).collect();
    let complaint = format!("unknown placeholder `{}`", braced(unknown.written));
    Some(match suggestion {
        Some(name) => (complaint, Some(braced(&name))),
        None => (format!("{complaint}; known are {}", known.join(", ")), None),
    })
}
