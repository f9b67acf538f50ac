//! One event that reaches us by two registrations is stored twice; what a plugin and somebody else register both is run
//! twice.

use std::collections::{BTreeMap, BTreeSet};

use super::{Finding, Setup};
use crate::doctor::finding::or_good;
use crate::doctor::owners::{self, Owned, Owner};
use crate::doctor::settings_files::{HookEntry, SettingsFile};
use crate::output;
use crate::registration::{OwnPlugin, Scope};
use crate::settings::Runs;

pub(super) const ABOUT: &str = "no event is registered twice, in two files or in two groups";

/// So many of those who register the same are named.
const NAMED: usize = 4;

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let entries = setup.settings.iter().flat_map(SettingsFile::entries);
    // The hook that waits stores nothing.
    let hears = |entry: &HookEntry<'_>| entry.runs != Runs::Other && !entry.waits;
    let ours: Vec<HookEntry<'_>> = entries.filter(hears).collect();
    let mut by_event: BTreeMap<&str, Vec<&HookEntry<'_>>> = BTreeMap::new();
    for entry in &ours {
        by_event.entry(entry.event).or_default().push(entry);
    }
    // Thirty events that are doubled in the same way are one finding.
    let mut by_scopes: BTreeMap<Vec<&str>, Vec<&str>> = BTreeMap::new();
    for (event, entries) in by_event {
        if are_doubled(&entries) {
            by_scopes.entry(scopes(&entries)).or_default().push(event);
        }
    }
    let findings = by_scopes
        .iter()
        .map(|(scopes, events)| doubled(scopes, events));
    let findings = findings.chain(by_plugin_too(setup, &ours));
    let findings = findings.chain(of_others(setup)).collect();
    or_good(findings, "no event is registered twice")
}

/// Events that come by our own plugin as well. An installation takes them out of the settings.
fn by_plugin_too(setup: &Setup<'_>, ours: &[HookEntry<'_>]) -> Vec<Finding> {
    let plugin = setup.own_plugin.as_ref();
    let brought = plugin.map(OwnPlugin::events).unwrap_or_default();
    let is_brought = |event: &str| brought.iter().any(|brought| brought == event);
    let found = Scope::ALL.into_iter().filter_map(|scope| {
        let entries = ours.iter().filter(|entry| entry.file.scope == scope);
        let events: BTreeSet<&str> = entries
            .map(|entry| entry.event)
            .filter(|event| is_brought(event))
            .collect();
        (!events.is_empty()).then(|| {
            let text = format!(
                "{} registered in the {} settings and by the plugin: checked twice, stored once",
                output::many(events.len(), "event"),
                scope.name()
            );
            match scope {
                Scope::Managed => Finding::note(text),
                _ => Finding::warning(text).advise(scope.command("install")),
            }
        })
    });
    found.collect()
}

/// Commands of others that a plugin registers and somebody else as well. The client runs equal commands of settings
/// once, but those of each plugin by themselves.
fn of_others(setup: &Setup<'_>) -> Vec<Finding> {
    let all = owners::all(setup);
    let mut equal: BTreeMap<_, Vec<&Owned<'_>>> = BTreeMap::new();
    for owned in all.iter().filter(|owned| owned.runs == Runs::Other) {
        let words = owned.words();
        if words.iter().flatten().all(Option::is_some) {
            let key = (words, owned.matcher, owned.event);
            equal.entry(key).or_default().push(owned);
        }
    }
    // A command that two register for ten events is one finding.
    let mut found: BTreeMap<(Vec<String>, &str), Vec<&str>> = BTreeMap::new();
    for same in equal.values() {
        let mut who: Vec<String> = same.iter().map(|owned| owned.owner.shown()).collect();
        who.dedup();
        let of_plugin = |owned: &&&Owned<'_>| matches!(owned.owner, Owner::Plugin(_));
        if let Some(owned) = same.iter().find(of_plugin).filter(|_| who.len() > 1) {
            found
                .entry((who, &owned.command))
                .or_default()
                .push(owned.event);
        }
    }
    let findings = found.iter().map(|((who, command), events)| {
        let times = match who.len() {
            2 => "twice".to_owned(),
            count => format!("{count} times"),
        };
        let more = match who.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let who = who.iter().take(NAMED).map(String::as_str);
        let (events, who) = (events.join(", "), who.collect::<Vec<_>>().join(" and in "));
        let text = format!("{command} runs {times} at {events}: it is registered in {who}{more}");
        Finding::warning(text).advise("remove it from one of them")
    });
    findings.collect()
}

/// The client runs equal commands once, and matchers that differ are for different occasions.
fn are_doubled(entries: &[&HookEntry<'_>]) -> bool {
    entries.iter().enumerate().any(|(index, one)| {
        entries[index + 1..].iter().any(|other| {
            let meet = match (one.matcher, other.matcher) {
                (Some(one), Some(other)) => one == other,
                _ => true,
            };
            meet && one.command != other.command
        })
    })
}

/// The names of the scopes that entries are in, each once.
fn scopes(entries: &[&HookEntry<'_>]) -> Vec<&'static str> {
    let mut scopes: Vec<_> = entries
        .iter()
        .map(|entry| entry.file.scope.name())
        .collect();
    scopes.dedup();
    scopes
}

fn doubled(scopes: &[&str], events: &[&str]) -> Finding {
    let managed = Scope::Managed.name();
    if scopes.len() > 1 && scopes.contains(&managed) {
        let count = output::many(events.len(), "event");
        return Finding::note(format!(
            "{count} registered in the {} settings: checked twice, stored once",
            scopes.join(" and the ")
        ));
    }
    let last = scopes.last().copied().unwrap_or_default();
    let (place, step) = match scopes {
        [only] => (
            format!("twice in the {only} settings"),
            format!("bellwether uninstall --{only}, then bellwether install --{only}"),
        ),
        several => (
            format!("in the {} settings", several.join(" and the ")),
            format!("bellwether uninstall --{last}"),
        ),
    };
    let (count, events) = (output::many(events.len(), "event"), events.join(", "));
    Finding::warning(format!(
        "{count} registered {place}, so stored twice: {events}"
    ))
    .advise(step)
}
