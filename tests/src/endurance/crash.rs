//! The daemon is killed again and again at random moments while hooks feed events. Every event
//! whose hook ended is stored afterwards, once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};

use super::ledger::Ledger;
use super::{Endurance, Report};
use crate::installation::Installation;
use crate::progress::Progress;
use crate::random::Random;
use crate::{fixture, process};

/// How the daemon is killed.
pub(super) struct CrashPlan {
    pub rounds: usize,
    /// How many hooks run at a time.
    pub feeders: usize,
    /// The longest time that it is left in peace.
    pub longest: Duration,
}

/// What was done to it.
pub(super) struct Crashes {
    /// How many daemons were killed.
    pub kills: usize,
    /// How many events were sent.
    pub events: usize,
    /// What should not have happened.
    pub findings: Vec<String>,
}

pub(super) fn run(endurance: &Endurance) -> Result<Report> {
    let place = Installation::new(&endurance.programs)?;
    let plan = CrashPlan {
        rounds: endurance.rounds.unwrap_or(100),
        feeders: 3,
        longest: Duration::from_millis(150),
    };
    let crashes = rounds(&place, &plan, &mut endurance.random())?;
    let summary = format!(
        "{} daemons killed, {} events sent",
        crashes.kills, crashes.events
    );
    Ok(Report::of(place, summary, crashes.findings))
}

/// Kills as planned, then compares what was sent with what is stored.
pub(super) fn rounds(
    place: &Installation,
    plan: &CrashPlan,
    random: &mut Random,
) -> Result<Crashes> {
    let over = AtomicBool::new(false);
    let (kills, ledger) = std::thread::scope(|scope| {
        let over = &over;
        let feeders: Vec<_> = (0..plan.feeders)
            .map(|feeder| {
                let random = Random::new(random.number());
                scope.spawn(move || feed(place, feeder, random, over))
            })
            .collect();
        let kills = strike(place, plan, random);
        over.store(true, Ordering::Relaxed);
        let mut ledger = Ledger::default();
        for feeder in feeders {
            ledger.join(feeder.join().map_err(|_| anyhow!("a feeder failed"))??);
        }
        Ok::<_, anyhow::Error>((kills?, ledger))
    })?;
    place.settle()?;
    let mut findings = ledger.compare(&place.markers()?);
    findings.extend(place.miscounted()?);
    Ok(Crashes {
        kills,
        events: ledger.whole.len(),
        findings,
    })
}

/// Kills the daemon whenever there is one, after a random time.
fn strike(place: &Installation, plan: &CrashPlan, random: &mut Random) -> Result<usize> {
    let mut progress = Progress::new("crash");
    let mut kills = 0;
    for round in 0..plan.rounds {
        std::thread::sleep(random.time_below(plan.longest));
        place.wait_for("hooks to start a daemon", || {
            let daemons = place.daemons()?;
            daemons.iter().copied().for_each(process::kill);
            kills += daemons.len();
            Ok(!daemons.is_empty())
        })?;
        progress.tick(|| format!("{round} of {} rounds", plan.rounds));
    }
    Ok(kills)
}

/// Sends events, small and larger ones, until it is over.
fn feed(
    place: &Installation,
    feeder: usize,
    mut random: Random,
    over: &AtomicBool,
) -> Result<Ledger> {
    let mut ledger = Ledger::default();
    while !over.load(Ordering::Relaxed) {
        let marker = format!("{feeder}-{}", ledger.whole.len());
        let size = 100 + random.below(30_000);
        let status = place.visit(&fixture::tool_call(&marker, size))?;
        ensure!(status.success(), "a hook ended with {status}");
        ledger.whole.insert(marker);
        std::thread::sleep(random.time_below(Duration::from_millis(3)));
    }
    Ok(ledger)
}
