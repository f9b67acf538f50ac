//! What this version of the client does not tell by itself.

use super::{Finding, Setup};
use crate::doctor::finding::or_good;
use crate::output;
use crate::registration::{Covered, How, coverage};

pub(super) const ABOUT: &str =
    "which events this version of Claude Code lacks, and which of them are replaced";

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let client = setup.client();
    let covered = coverage(client);
    let names = |wanted: fn(&How) -> bool| -> Vec<&str> {
        let fitting = covered.iter().filter(|one: &&Covered| wanted(&one.how));
        fitting.map(|one| one.event).collect()
    };
    let replaced = names(|how| matches!(how, How::Replaced { .. }));
    let missing = names(|how| *how == How::Missing);
    let said = |events: &[&str], what: &str| {
        let text = format!("{client} has no {}: {what}", events.join(", "));
        (!events.is_empty()).then(|| Finding::note(text).advise("bellwether versions says more"))
    };
    let found = [
        said(&replaced, "bellwether derives them from other events"),
        said(&missing, "these cannot be derived"),
    ];
    let known = output::many(covered.len(), "event");
    or_good(
        found.into_iter().flatten().collect(),
        format!("{client} has all {known} that are known here"),
    )
}
