//! One event that reaches us by two registrations is stored twice.

use std::collections::BTreeMap;

use super::{Context, Finding};
use crate::doctor::finding::or_good;
use crate::doctor::settings_files::{Entry, Layer, SettingsFile};
use crate::output;

pub(super) const ABOUT: &str = "no event is registered twice, in two files or in two groups";

pub(super) fn run(context: &Context<'_>) -> Vec<Finding> {
    let ours: Vec<Entry<'_>> = context
        .settings
        .iter()
        .flat_map(SettingsFile::ours)
        .collect();
    let mut by_event: BTreeMap<&str, Vec<&Entry<'_>>> = BTreeMap::new();
    for entry in &ours {
        by_event.entry(entry.event).or_default().push(entry);
    }
    // Thirty events that are doubled in the same way are one finding.
    let mut by_layers: BTreeMap<Vec<Layer>, Vec<&str>> = BTreeMap::new();
    for (event, entries) in by_event {
        if are_doubled(&entries) {
            let layers = entries.iter().map(|entry| entry.file.layer).collect();
            by_layers.entry(layers).or_default().push(event);
        }
    }
    let findings = by_layers
        .iter()
        .map(|(layers, events)| told(layers, events));
    or_good(findings.collect(), "no event is registered twice")
}

/// The client runs equal commands once, and matchers that differ are for different occasions.
fn are_doubled(entries: &[&Entry<'_>]) -> bool {
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

fn told(layers: &[Layer], events: &[&str]) -> Finding {
    let mut places: Vec<Layer> = layers.to_vec();
    places.dedup();
    let (count, events) = (output::many(events.len(), "event"), events.join(", "));
    let [.., last] = places.as_slice() else {
        return Finding::good("no event is registered twice");
    };
    let where_to = match places.as_slice() {
        [only] => format!("twice in the {only}"),
        several => several
            .iter()
            .map(|layer| format!("in the {layer}"))
            .collect::<Vec<_>>()
            .join(" and "),
    };
    let word = last.word();
    let step = match places.len() {
        1 => format!("bellwether uninstall --{word}, then bellwether install --{word}"),
        _ => format!("bellwether uninstall --{word}"),
    };
    let text = format!("{count} registered {where_to}, so stored twice: {events}");
    Finding::warning(text).advise(step)
}
