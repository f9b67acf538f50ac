//! Events that come at the moment in which an idle daemon leaves. One of three must read them: the
//! daemon that leaves, the next one, or the daemon that the hook starts.

use std::time::Duration;

use anyhow::{Result, ensure};

use super::ledger::Ledger;
use super::{Endurance, Report};
use crate::fixture;
use crate::installation::Installation;
use crate::progress::Progress;
use crate::random::Random;

/// After how much silence the daemon leaves.
const IDLE: Duration = Duration::from_millis(100);
/// Events come no earlier than this,
const FROM: Duration = Duration::from_millis(85);
/// and within this time.
const WITHIN: Duration = Duration::from_millis(30);
/// Events a round.
const EVENTS: usize = 4;

pub(super) fn run(endurance: &Endurance) -> Result<Report> {
    let place = Installation::new(&endurance.programs)?;
    let rounds = endurance.rounds.unwrap_or(100);
    let mut race = Race {
        random: endurance.random(),
        ledger: Ledger::default(),
        stayed: 0,
    };
    let mut progress = Progress::new("race");
    let mut findings = Vec::new();
    for round in 0..rounds {
        if let Err(error) = race.round(&place, round) {
            findings.push(format!("round {round}: {error:#}"));
            break;
        }
        progress.tick(|| format!("{round} of {rounds} rounds"));
    }
    findings.extend(race.ledger.compare(&place.markers()?));
    let summary = format!(
        "{rounds} rounds, {} events; the daemon was still there after them in {} rounds",
        race.ledger.whole.len(),
        race.stayed
    );
    Ok(Report::of(place, summary, findings))
}

struct Race {
    random: Random,
    ledger: Ledger,
    stayed: usize,
}

impl Race {
    fn round(&mut self, place: &Installation, round: usize) -> Result<()> {
        let mut daemon = place.start_daemon(&["--idle-exit", &IDLE.as_secs_f64().to_string()])?;
        std::thread::sleep(FROM + self.random.time_below(WITHIN));
        let markers: Vec<String> = (0..EVENTS)
            .map(|event| format!("{round}-{event}"))
            .collect();
        for marker in &markers {
            let status = place.visit(&fixture::tool_call(marker, 300))?;
            ensure!(status.success(), "a hook ended with {status}");
            self.ledger.whole.insert(marker.clone());
        }
        self.stayed += usize::from(!daemon.ended()?);
        for marker in &markers {
            place.wait_for(&format!("event {marker} to be read"), || {
                place.is_among_last(marker)
            })?;
        }
        drop(daemon);
        place.kill_all()
    }
}
