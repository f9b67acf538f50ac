//! What the client's plugins register: whether this version takes it, and whether what their hooks start is there.

use bellwether_protocol::client::Client;

use super::{Finding, Setup};
use crate::doctor::finding::or_good;
use crate::doctor::lint::{self, Looked};
use crate::doctor::plugins::{HookFile, Plugin, Plugins};
use crate::doctor::settings_files::Content;
use crate::output;
use crate::settings::check::{Cost, FileKind, Rejection, rejections_in};
use crate::settings::{Document, Runs};

pub(super) const ABOUT: &str =
    "Claude Code accepts the hooks of every plugin, and what they start is there";

/// So many mistakes of one file are named.
const NAMED: usize = 12;
/// So many plugins are named that have hooks and nothing wrong with them.
const SOUND: usize = 20;

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let client = setup.client();
    let plugins = &setup.plugins;
    // Our own has a check of its own.
    let own = setup.own_plugin.as_ref().map(|own| &own.name);
    let mut findings: Vec<Finding> = unread(plugins);
    for (index, plugin) in plugins.with_hooks.iter().enumerate() {
        let wrong: Vec<Finding> = wrong_in(plugin, client, own == Some(&plugin.name));
        let is_named = index < SOUND || !wrong.is_empty();
        findings.extend(has_hooks(plugin).filter(|_| is_named));
        findings.extend(wrong);
    }
    let unnamed = plugins.with_hooks.len().saturating_sub(SOUND);
    findings.extend((unnamed > 0).then(|| {
        let count = output::many(unnamed, "plugin");
        Finding::note(format!("{count} more, named only where something is wrong"))
    }));
    or_good(findings, "no plugin has hooks")
}

/// What could not be looked at.
fn unread(plugins: &Plugins) -> Vec<Finding> {
    let list = plugins.unreadable.as_ref().map(|why| {
        Finding::warning(format!("{why}; no installed plugin is known"))
            .advise("repair the file, or install the plugins again")
    });
    let many = (plugins.left_out > 0).then(|| {
        let count = output::many(plugins.left_out, "plugin");
        Finding::note(format!(
            "there are so many plugins that {count} were not read"
        ))
        .advise("claude plugin uninstall those that you do not use")
    });
    list.into_iter().chain(many).collect()
}

fn has_hooks(plugin: &Plugin) -> Option<Finding> {
    let mut events: Vec<&str> = plugin.entries().map(|(_, entry)| entry.event).collect();
    events.dedup();
    events.truncate(40);
    let path = plugin.files.first()?.path.display();
    (!events.is_empty()).then(|| {
        Finding::note(format!(
            "plugin {} has hooks for {} ({path})",
            plugin.name,
            events.join(", ")
        ))
    })
}

fn wrong_in(plugin: &Plugin, client: Client, is_own: bool) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for file in &plugin.files {
        findings.extend(rejected(plugin, file, client));
        findings.extend(lint::findings(&others(plugin, file), client));
    }
    if !is_own {
        findings.extend(ours_too(plugin));
    }
    findings
}

/// The hooks in a file of a plugin that are not ours.
fn others<'a>(plugin: &Plugin, file: &'a HookFile) -> Vec<Looked<'a>> {
    let entries = file.document().map(Document::entries);
    let others = entries
        .unwrap_or_default()
        .into_iter()
        .filter(|entry| entry.runs() == Runs::Other)
        .take(lint::MOST);
    let looked = others.map(|entry| Looked {
        place: format!("{}, {}", file.path.display(), entry.place),
        kind: file.kind,
        command: entry
            .command()
            .map(|command| plugin.command(command, lint::arguments(&entry).as_deref())),
        entry,
    });
    looked.collect()
}

/// What the client drops of a file, and why.
fn rejected(plugin: &Plugin, file: &HookFile, client: Client) -> Vec<Finding> {
    let (name, path) = (&plugin.name, file.path.display());
    let advise = |finding: Finding| {
        finding.advise(format!("correct {path}, or: claude plugin disable {name}"))
    };
    let whole = match file.kind {
        FileKind::Manifest => Cost::Plugin,
        FileKind::Plugin | FileKind::Settings => Cost::File,
    };
    let document = match &file.content {
        Content::Missing => {
            let text = format!("plugin {name} names {path}, which does not exist");
            return vec![advise(Finding::warning(text))];
        }
        Content::Unreadable(why) => return vec![advise(costing(plugin, why, whole))],
        Content::Unchecked(why) => {
            return vec![Finding::note(format!("plugin {name}: {why}; not checked"))];
        }
        Content::Said(document) => document,
    };
    let rejected = rejections_in(document, file.kind, client);
    let left = rejected.len().saturating_sub(NAMED);
    let named = rejected.iter().take(NAMED).map(|rejection| {
        let Rejection { place, what, costs } = rejection;
        advise(costing(plugin, &format!("{path}, {place}: {what}"), *costs))
    });
    let more = (left > 0).then(|| Finding::note(format!("and {left} more mistakes in {path}")));
    named.chain(more).collect()
}

/// A mistake, and what the client does about it.
fn costing(plugin: &Plugin, what: &str, costs: Cost) -> Finding {
    let text = |follows: &str| format!("plugin {}: {what}; Claude Code {follows}", plugin.name);
    match costs {
        Cost::Plugin => Finding::warning(text("does not load this plugin at all")),
        Cost::File if plugin.files.len() > 1 => {
            Finding::warning(text("drops all hooks of this file"))
        }
        Cost::File => Finding::warning(text("drops all hooks of this plugin")),
        Cost::Entry => Finding::warning(text("drops this one alone")),
    }
}

/// A plugin that runs our hook does so beside what is installed.
fn ours_too(plugin: &Plugin) -> Option<Finding> {
    let ours = plugin
        .entries()
        .any(|(_, entry)| entry.runs() != Runs::Other);
    ours.then(|| {
        Finding::note(format!(
            "plugin {} runs bellwether-hook: where it is installed too, events come twice",
            plugin.name
        ))
    })
}
