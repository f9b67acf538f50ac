//! The daemon is killed again and again while events are sent to it over HTTP. Every event that was
//! answered with 200 is stored afterwards, once.

use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::time::Duration;

use anyhow::{Result, anyhow};

use super::ledger::Ledger;
use super::{Endurance, Report};
use crate::installation::Installation;
use crate::progress::Progress;
use crate::web::Web;
use crate::{fixture, process};

/// How many send at a time.
const SENDERS: usize = 4;
/// The longest time that a daemon is left in peace.
const LONGEST: Duration = Duration::from_millis(300);

pub(super) fn run(endurance: &Endurance) -> Result<Report> {
    let place = Installation::new(&endurance.programs)?;
    let rounds = endurance.rounds.unwrap_or(50);
    let (over, port) = (AtomicBool::new(false), AtomicU16::new(0));
    let ledger = std::thread::scope(|scope| {
        let (over, port) = (&over, &port);
        let senders: Vec<_> = (0..SENDERS)
            .map(|sender| scope.spawn(move || send(sender, port, over)))
            .collect();
        let struck = strike(&place, rounds, port, endurance);
        over.store(true, Ordering::Relaxed);
        let mut ledger = Ledger::default();
        for sender in senders {
            ledger.join(sender.join().map_err(|_| anyhow!("a sender failed"))?);
        }
        struck.map(|()| ledger)
    })?;
    place.settle()?;
    let stored = place.markers()?;
    let summary = format!(
        "{rounds} daemons killed, {} events answered, {} not answered, {} of those not stored",
        ledger.whole.len(),
        ledger.killed.len(),
        ledger.missing(&stored)
    );
    let findings = ledger.compare(&stored);
    Ok(Report::of(place, summary, findings))
}

fn strike(
    place: &Installation,
    rounds: usize,
    port: &AtomicU16,
    endurance: &Endurance,
) -> Result<()> {
    let mut random = endurance.random();
    let mut progress = Progress::new("ingest");
    for round in 0..rounds {
        let (mut daemon, serving) = place.start_serving(&[])?;
        port.store(serving, Ordering::Relaxed);
        std::thread::sleep(random.time_below(LONGEST));
        process::kill(daemon.pid()?);
        place.wait_for("a daemon to die", || daemon.ended())?;
        progress.tick(|| format!("{round} of {rounds} rounds"));
    }
    Ok(())
}

/// Sends events until it is over. One that was not answered may be stored or not.
fn send(sender: usize, port: &AtomicU16, over: &AtomicBool) -> Ledger {
    let mut ledger = Ledger::default();
    let mut number = 0;
    while !over.load(Ordering::Relaxed) {
        let marker = format!("sent-{sender}-{number}");
        number += 1;
        let web = Web::on(port.load(Ordering::Relaxed));
        match web.post("/ingest", fixture::tool_call(&marker, 300)) {
            Ok(answer) if answer.status == 200 => drop(ledger.whole.insert(marker)),
            _ => {
                ledger.killed.insert(marker);
                std::thread::sleep(Duration::from_millis(2));
            }
        }
    }
    ledger
}
