//! Two hundred hooks at once where nothing runs: one daemon comes of it, and two hundred events.

use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use super::ledger::Ledger;
use super::{Endurance, Report};
use crate::fixture;
use crate::installation::Installation;

const HOOKS: usize = 200;

pub(super) fn run(endurance: &Endurance) -> Result<Report> {
    let programs = &endurance.programs;
    let rounds = endurance.rounds.unwrap_or(3);
    let mut report = Report {
        summary: format!("{rounds} rounds of {HOOKS} hooks at once"),
        ..Report::default()
    };
    for _ in 0..rounds {
        let place = Installation::new(programs)?;
        let findings = round(&place)?;
        report
            .findings
            .extend(Report::of(place, String::new(), findings).findings);
    }
    Ok(report)
}

fn round(place: &Installation) -> Result<Vec<String>> {
    let ledger = all_at_once(place)?;
    // Whoever lost the race for the lock has had time to show itself.
    std::thread::sleep(Duration::from_millis(300));
    let daemons = place.daemons()?.len();
    place.settle()?;
    let mut findings = ledger.compare(&place.markers()?);
    if daemons != 1 {
        findings.push(format!("{daemons} daemons run"));
    }
    Ok(findings)
}

/// Starts all hooks first and gives them their events then, so that they work at the same time.
fn all_at_once(place: &Installation) -> Result<Ledger> {
    let mut hooks = Vec::new();
    for _ in 0..HOOKS {
        let (ours, theirs) = UnixStream::pair()?;
        let stdin = Stdio::from(OwnedFd::from(theirs));
        hooks.push((
            place.hook().stdin(stdin).spawn().context("start a hook")?,
            ours,
        ));
    }
    let mut ledger = Ledger::default();
    for (number, (_, stdin)) in hooks.iter_mut().enumerate() {
        let marker = number.to_string();
        stdin.write_all(&fixture::tool_call(&marker, 1000))?;
        ledger.whole.insert(marker);
    }
    for (hook, _) in &mut hooks {
        let status = hook.wait()?;
        ensure!(status.success(), "a hook ended with {status}");
    }
    Ok(ledger)
}
