//! What a daemon costs that has nothing to do.

use std::time::Duration;

use anyhow::{Result, ensure};

use super::figure::Goal;
use super::{Bench, Figure};
use bellwether_tests::Installation;
use bellwether_tests::{fixture, process};

/// Resident megabytes, at most.
const MEMORY: f64 = 20.0;
/// Wake-ups a second, at most.
const WAKE_UPS: f64 = 1.0;
/// Events that are stored before the rest.
const EVENTS: usize = 500;
const REST: Duration = Duration::from_secs(5);
const WATCHED: Duration = Duration::from_secs(10);

pub(super) fn measure(bench: &Bench<'_>) -> Result<Vec<Figure>> {
    let place = Installation::new(&bench.dist.programs()?)?;
    let daemon = place.start_daemon(&[])?;
    for _ in 0..EVENTS {
        ensure!(
            place.visit(&fixture::tool_call("rest", 1500))?.success(),
            "a hook failed"
        );
    }
    place.settle()?;
    std::thread::sleep(REST);
    let memory = megabytes(process::resident_kb(daemon.pid()?)?)?;
    let before = process::sleeps(daemon.pid()?)?;
    std::thread::sleep(WATCHED);
    let sleeps = process::sleeps(daemon.pid()?)?.saturating_sub(before);
    let rate = f64::from(u32::try_from(sleeps)?) / WATCHED.as_secs_f64();
    Ok(vec![
        Figure::alone(
            "rest",
            format!("resident memory after {EVENTS} events"),
            (memory, "MB"),
            Some(Goal::AtMost(MEMORY)),
        ),
        Figure::alone(
            "rest",
            "wake-ups".to_owned(),
            (rate, "/s"),
            Some(Goal::AtMost(WAKE_UPS)),
        ),
    ])
}

/// Kilobytes of the kernel in megabytes of people.
pub(super) fn megabytes(kb: u64) -> Result<f64> {
    Ok(f64::from(u32::try_from(kb)?) * 1024.0 / 1e6)
}
