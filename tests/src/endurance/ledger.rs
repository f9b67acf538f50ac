//! What was sent, against what is stored.

use std::collections::{BTreeMap, BTreeSet};

/// At most so many markers are named in a finding.
const NAMED: usize = 5;

/// The markers of the events that were sent.
#[derive(Debug, Default, Clone)]
pub(super) struct Ledger {
    /// Their hooks ended by themselves: they must be stored.
    pub whole: BTreeSet<String>,
    /// Their hooks were killed: they may be stored.
    pub killed: BTreeSet<String>,
}

impl Ledger {
    /// Takes in what somebody else has sent.
    pub(super) fn join(&mut self, other: Self) {
        self.whole.extend(other.whole);
        self.killed.extend(other.killed);
    }

    /// How many of the killed hooks' events are not stored.
    pub(super) fn missing(&self, stored: &BTreeMap<String, usize>) -> usize {
        self.killed
            .iter()
            .filter(|marker| !stored.contains_key(*marker))
            .count()
    }

    /// What is wrong with what is stored.
    pub(super) fn compare(&self, stored: &BTreeMap<String, usize>) -> Vec<String> {
        let lost = self
            .whole
            .iter()
            .filter(|marker| !stored.contains_key(*marker));
        let twice = stored
            .iter()
            .filter(|(_, times)| **times > 1)
            .map(|(marker, _)| marker);
        let unknown = stored.keys().filter(|marker| !self.knows(marker));
        [
            ("lost", lost.collect::<Vec<_>>()),
            ("stored more than once", twice.collect()),
            ("stored, but never sent", unknown.collect()),
        ]
        .into_iter()
        .filter(|(_, markers)| !markers.is_empty())
        .map(|(what, markers)| describe(what, &markers))
        .collect()
    }

    fn knows(&self, marker: &str) -> bool {
        self.whole.contains(marker)
            || self.killed.contains(marker)
            || marker.starts_with("settled-")
    }
}

fn describe(what: &str, markers: &[&String]) -> String {
    let named: Vec<&str> = markers
        .iter()
        .take(NAMED)
        .map(|marker| marker.as_str())
        .collect();
    let more = if markers.len() > NAMED { ", …" } else { "" };
    format!(
        "{} events {what}: {}{more}",
        markers.len(),
        named.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(markers: &[&str]) -> BTreeSet<String> {
        markers.iter().map(|marker| (*marker).to_owned()).collect()
    }

    #[test]
    fn loss_doubles_and_strangers_are_found() {
        let ledger = Ledger {
            whole: set(&["a", "b", "c"]),
            killed: set(&["k", "l"]),
        };
        let stored = |rows: &[(&str, usize)]| -> BTreeMap<String, usize> {
            rows.iter()
                .map(|(marker, times)| ((*marker).to_owned(), *times))
                .collect()
        };
        let good = stored(&[("a", 1), ("b", 1), ("c", 1), ("k", 1), ("settled-4", 1)]);
        assert!(ledger.compare(&good).is_empty());
        assert_eq!(ledger.missing(&good), 1);
        let bad = stored(&[("a", 2), ("b", 1), ("x", 1)]);
        assert_eq!(
            ledger.compare(&bad),
            [
                "1 events lost: c",
                "1 events stored more than once: a",
                "1 events stored, but never sent: x"
            ]
        );
    }
}
