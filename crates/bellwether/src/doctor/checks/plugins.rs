//! What the client's plugins register, and whether what their hooks start is there.

use super::settings::{absent, foreign_path};
use super::{Finding, Setup};
use crate::doctor::finding::or_good;
use crate::doctor::plugins::Plugin;
use crate::doctor::settings_files::Content;
use crate::settings::Runs;
use crate::settings::json::Node;

pub(super) const ABOUT: &str = "which hooks plugins bring, and that what they start is there";

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let findings = setup.plugins.iter().flat_map(of_plugin).collect();
    or_good(findings, "no plugin has hooks")
}

fn of_plugin(plugin: &Plugin) -> Vec<Finding> {
    let (name, path) = (&plugin.name, plugin.path.display());
    let refused = |why: String| {
        Finding::warning(format!(
            "plugin {name}: {why}; Claude Code ignores its hooks"
        ))
        .advise(format!("correct {path}, or remove the plugin"))
    };
    let document = match &plugin.content {
        Content::Missing => return Vec::new(),
        Content::Unreadable(why) => return vec![refused(why.clone())],
        Content::Said(document) if document.hooks().is_none() => {
            return vec![refused(format!("{path} has no `hooks`"))];
        }
        Content::Said(document) => document,
    };
    let entries = document.entries();
    let mut events: Vec<&str> = entries.iter().map(|entry| entry.event).collect();
    events.dedup();
    let mut findings = vec![Finding::note(format!(
        "plugin {name} has hooks for {} ({path})",
        events.join(", ")
    ))];
    for entry in &entries {
        let arguments = entry.handler().get("args").map(Node::items);
        let arguments: Option<Vec<&str>> =
            arguments.map(|words| words.iter().filter_map(Node::as_str).collect());
        let Some(command) = entry.command() else {
            continue;
        };
        let place = format!("{path}, {}", entry.place);
        let words = arguments.as_deref().unwrap_or_default();
        findings.extend(foreign_path(&place, command, words));
        findings.extend(absent(
            &place,
            &plugin.command(command, arguments.as_deref()),
        ));
    }
    findings.extend(ours_too(plugin));
    findings
}

/// A plugin that runs our hook does so beside what is installed.
fn ours_too(plugin: &Plugin) -> Option<Finding> {
    let entries = plugin.document()?.entries();
    let ours = entries.iter().any(|entry| entry.runs() != Runs::Other);
    ours.then(|| {
        Finding::note(format!(
            "plugin {} runs bellwether-hook: where it is installed too, events come twice",
            plugin.name
        ))
    })
}
