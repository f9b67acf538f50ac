//! A few rounds of what `cargo soak` runs for long.

use anyhow::{Context as _, Result};
use bellwether_tests::endurance::{Endurance, RUNS};
use bellwether_tests::{Programs, Random};

fn endure(name: &str, rounds: usize) -> Result<()> {
    let run = RUNS
        .iter()
        .find(|run| run.name == name)
        .context("no such run")?;
    let seed = Random::fresh_seed();
    let endurance = Endurance {
        programs: Programs::built()?,
        rig: env!("CARGO_BIN_EXE_rig").into(),
        rounds: Some(rounds),
        seed,
    };
    let report = (run.run)(&endurance)?;
    println!("{}, seed {seed}", report.summary);
    assert!(
        report.findings.is_empty(),
        "seed {seed}: {:#?}",
        report.findings
    );
    Ok(())
}

#[test]
fn a_daemon_killed_at_any_moment_loses_nothing_and_stores_nothing_twice() -> Result<()> {
    endure("crash", 5)
}

#[test]
fn hooks_killed_in_the_middle_of_a_write_cost_only_their_own_event() -> Result<()> {
    endure("torn", 10)
}

#[test]
fn events_that_come_when_an_idle_daemon_leaves_are_read() -> Result<()> {
    endure("race", 10)
}

#[test]
fn two_hundred_hooks_at_once_start_one_daemon() -> Result<()> {
    endure("cold", 1)
}

#[test]
fn events_that_were_answered_survive_the_daemons_death() -> Result<()> {
    endure("ingest", 5)
}
