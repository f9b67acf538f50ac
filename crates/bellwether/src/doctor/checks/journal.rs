//! The journal: whether everything in it is stored, and what was lost.

use std::time::Duration;

use bellwether_flock::Reader;
use bellwether_spine::{Home, journal};

use super::{Finding, Setup};
use crate::doctor::finding::or_good;
use crate::{installation, output};

pub(super) const ABOUT: &str =
    "events in the journal are being stored, and none was lost or damaged";

/// A daemon at work stores within milliseconds.
const MOMENT: Duration = Duration::from_millis(300);

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let home = setup.home;
    let mut findings = Vec::new();
    if let Ok(Some(status)) = &setup.daemon {
        findings.extend(stuck(home));
        findings.extend(passed_over(status.torn, status.foreign));
    }
    findings.extend(dropped(home));
    let size = journal::total_bytes(&home.journal());
    match size {
        Ok(size) => or_good(findings, format!("{}, nothing lost", output::bytes(size))),
        Err(error) => vec![Finding::problem(error.to_string())],
    }
}

fn pending(home: &Home) -> u64 {
    let reader = Reader::open(&home.database()).ok().flatten();
    installation::pending(home, reader.as_ref()).unwrap_or(0)
}

/// Events that a running daemon does not store.
fn stuck(home: &Home) -> Option<Finding> {
    let before = pending(home);
    (before > 0).then(|| std::thread::sleep(MOMENT))?;
    let after = pending(home);
    (after >= before).then(|| {
        let text = format!(
            "the daemon runs, and {} are not stored",
            output::bytes(after)
        );
        Finding::problem(text).advise(format!("see {}", home.log().display()))
    })
}

/// What the daemon could not read since it began.
fn passed_over(torn: u64, foreign: u64) -> Option<Finding> {
    (torn + foreign > 0).then(|| {
        Finding::note(format!(
            "skipped by the daemon: incomplete records ({torn}), unreadable parts ({foreign})"
        ))
    })
}

fn dropped(home: &Home) -> Option<Finding> {
    let count = journal::dropped(&home.journal());
    (count > 0).then(|| {
        let text = format!("events dropped because the journal was full: {count}");
        Finding::warning(text)
            .advise("bellwether daemon start; the journal is full only when no daemon runs")
    })
}
