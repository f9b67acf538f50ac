//! Ways in which an agent might free itself or read our keys, each tried for real on a machine of its own.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::world::{self, Expected, Mode, Tried, Way};
use bellwether_tests::{Programs, jsonl, namespace};

/// At least so many ways are known.
const WAYS: usize = 500;

#[test]
fn no_way_round_the_guard_in_user_mode() -> Result<()> {
    every_way_ends_as_expected(Mode::User)
}

#[test]
fn no_way_round_the_guard_in_managed_mode() -> Result<()> {
    every_way_ends_as_expected(Mode::Managed)
}

fn every_way_ends_as_expected(mode: Mode) -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ways");
    let ways = world::table(&folder)?;
    ensure!(ways.len() >= WAYS, "only {} ways are left", ways.len());
    let tried = tried(mode, &ways)?;
    assert_eq!(tried.len(), ways.len());
    let wrong: Vec<String> = ways
        .iter()
        .zip(&tried)
        .filter_map(|(way, tried)| wrong(way, way.expected(mode), tried))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} ways:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    Ok(())
}

fn tried(mode: Mode, ways: &[Way]) -> Result<Vec<Tried>> {
    let file = tempfile::NamedTempFile::new()?;
    let lines: Vec<String> = ways
        .iter()
        .map(serde_json::to_string)
        .collect::<Result<_, _>>()?;
    std::fs::write(file.path(), lines.join("\n") + "\n")?;
    let output = namespace::mounting_as_root(Path::new(env!("CARGO_BIN_EXE_rig")))
        .args(["worlds", mode.name()])
        .arg(file.path())
        .arg(Programs::built()?.main())
        .stderr(Stdio::inherit())
        .output()
        .context("starting the worlds")?;
    ensure!(
        output.status.success(),
        "the worlds ended with {}; they need root, or sudo without a password,",
        output.status
    );
    jsonl::parse(&String::from_utf8(output.stdout)?)
}

fn wrong(way: &Way, expected: Expected, tried: &Tried) -> Option<String> {
    let is_freed = !tried.freed.is_empty();
    let is_right = match expected {
        Expected::Safe => !is_freed,
        Expected::Stopped => !is_freed && tried.stopped.is_some(),
        Expected::Silent => !is_freed && tried.stopped.is_none(),
        Expected::Freed => is_freed,
    };
    (!is_right || tried.failed.is_some()).then(|| {
        format!(
            "{}\n    expected {expected:?}; failed {:?}; won {:?}; stopped {:?}; printed {:?}",
            way.says(),
            tried.failed,
            tried.freed,
            tried.stopped,
            tried.said
        )
    })
}
