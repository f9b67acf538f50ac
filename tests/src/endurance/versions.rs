//! Every version of the real client that we know to differ, one after the other.

use anyhow::Result;

use super::{Endurance, Report};
use crate::client::{self, EVERY};
use crate::generations;

pub(super) fn run(endurance: &Endurance) -> Result<Report> {
    let rounds = endurance.rounds.unwrap_or(1);
    let mut report = Report {
        summary: format!("{rounds} rounds of {} versions of the client", EVERY.len()),
        ..Report::default()
    };
    for version in EVERY.repeat(rounds) {
        eprintln!("  versions: {version}");
        // One that cannot be fetched is nothing found: there was no run.
        client::fetch(version)?;
        for way in generations::ways(version)? {
            let held = generations::holds(&endurance.rig, &endurance.programs, version, way);
            if let Err(error) = held {
                let scope = way.scope();
                report
                    .findings
                    .push(format!("{version}, {scope}: {error:#}"));
            }
        }
    }
    Ok(report)
}
