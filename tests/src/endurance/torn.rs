//! Hooks with megabytes to write are killed in the middle of the write. Only their own events are
//! lost, and none of them is stored in part.

use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, anyhow, ensure};
use bellwether_spine::journal::{Follower, total_bytes};

use super::ledger::Ledger;
use super::{Endurance, Report};
use crate::fixture;
use crate::installation::Installation;
use crate::progress::Progress;
use crate::random::Random;

/// How much a hook has to write.
const SIZE: usize = 4_000_000;

pub(super) fn run(endurance: &Endurance) -> Result<Report> {
    let place = Installation::new(&endurance.programs)?;
    let rounds = endurance.rounds.unwrap_or(100);
    let over = AtomicBool::new(false);
    let ledger = std::thread::scope(|scope| {
        let neighbour = scope.spawn(|| feed(&place, &over));
        let killed = kill_all(&place, rounds, &mut endurance.random());
        over.store(true, Ordering::Relaxed);
        let mut ledger = neighbour.join().map_err(|_| anyhow!("a feeder failed"))??;
        ledger.join(killed?);
        Ok::<_, anyhow::Error>(ledger)
    })?;
    place.settle()?;
    let stored = place.markers()?;
    let summary = format!(
        "{} hooks killed, {} of their events not stored, {} torn records in the journal, {} whole events beside them",
        ledger.killed.len(),
        ledger.missing(&stored),
        torn_records(&place)?,
        ledger.whole.len(),
    );
    let findings = ledger.compare(&stored);
    Ok(Report::of(place, summary, findings))
}

fn kill_all(place: &Installation, rounds: usize, random: &mut Random) -> Result<Ledger> {
    let mut progress = Progress::new("torn");
    let mut ledger = Ledger::default();
    for round in 0..rounds {
        let marker = format!("large-{round}");
        if kill_one(place, &marker, random)? {
            ledger.killed.insert(marker);
        } else {
            ledger.whole.insert(marker);
        }
        progress.tick(|| format!("{round} of {rounds} rounds"));
    }
    Ok(ledger)
}

/// Starts a hook and kills it when the journal has grown by a part of what it writes; false when
/// it was faster than that.
fn kill_one(place: &Installation, marker: &str, random: &mut Random) -> Result<bool> {
    let payload = fixture::tool_call(marker, SIZE);
    let journal = place.home().journal();
    let (mut ours, theirs) = UnixStream::pair()?;
    let stdin = Stdio::from(OwnedFd::from(theirs));
    let mut child = place.hook().stdin(stdin).spawn().context("start a hook")?;
    std::thread::scope(|scope| {
        // The writer fails when the hook dies before it has read everything: that is the purpose.
        scope.spawn(|| ours.write_all(&payload));
        let enough = total_bytes(&journal)? + u64::try_from(random.below(SIZE))?;
        while child.try_wait()?.is_none() {
            if total_bytes(&journal)? > enough {
                child.kill()?;
                return was_killed(&mut child);
            }
        }
        was_killed(&mut child)
    })
}

fn was_killed(child: &mut Child) -> Result<bool> {
    let status = child.wait()?;
    ensure!(
        status.success() || status.code().is_none(),
        "a hook ended with {status}"
    );
    Ok(!status.success())
}

/// Small events all the while: one of them is what a torn record is glued to.
fn feed(place: &Installation, over: &AtomicBool) -> Result<Ledger> {
    let mut ledger = Ledger::default();
    while !over.load(Ordering::Relaxed) {
        let marker = format!("small-{}", ledger.whole.len());
        let status = place.visit(&fixture::tool_call(&marker, 500))?;
        ensure!(status.success(), "a hook ended with {status}");
        ledger.whole.insert(marker);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    Ok(ledger)
}

/// How many records in the journal were cut off, to know that the kills met what they were meant for.
fn torn_records(place: &Installation) -> Result<u64> {
    let mut follower = Follower::new(place.home().journal(), &[]);
    let mut torn = 0;
    loop {
        let progress = follower.read(64 << 20, |_| ())?;
        torn += progress.skipped.torn;
        if !progress.more {
            return Ok(torn);
        }
    }
}
