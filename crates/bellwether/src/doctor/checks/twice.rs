//! One event that reaches us by two registrations is stored twice.

use std::collections::BTreeMap;

use super::{Finding, Setup};
use crate::doctor::finding::or_good;
use crate::doctor::settings_files::{HookEntry, SettingsFile};
use crate::output;
use crate::registration::Scope;
use crate::settings::Runs;

pub(super) const ABOUT: &str = "no event is registered twice, in two files or in two groups";

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
    or_good(findings.collect(), "no event is registered twice")
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
