//! The daemon as a service: what the unit starts works, and systemd takes the unit.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result};
use bellwether_tests::Installation;
use bellwether_tests::wait::until;

use super::fed::{feed, status};

/// The words of the line that a unit starts, as systemd reads them. Only what our paths need is understood.
fn words(unit: &str) -> Result<Vec<String>> {
    let line = unit
        .lines()
        .find_map(|line| line.strip_prefix("ExecStart="));
    let line = line.context("the unit starts nothing")?;
    assert!(!line.contains(['\\', '%', '$']), "{line}");
    let parts = line.split('"').enumerate();
    let words = parts.flat_map(|(at, part)| {
        if at % 2 == 1 {
            vec![part.to_owned()]
        } else {
            part.split_whitespace().map(str::to_owned).collect()
        }
    });
    Ok(words.collect())
}

#[test]
fn what_the_unit_starts_is_a_daemon_that_stays() -> Result<()> {
    let place = Installation::fresh()?;
    let unit = place.printed(&["daemon", "unit", "--systemd"])?;
    let words = words(&unit)?;
    assert_eq!(
        words[words.len() - 4..],
        ["daemon", "run", "--idle-exit", "never"]
    );
    // Another daemon of this machine may have the port.
    let mut daemon = Command::new(&words[0])
        .args(&words[1..])
        .args(["--port", "0"])
        .env_clear()
        .stdin(Stdio::null())
        .spawn()?;
    let answers = until(Duration::from_secs(20), || {
        let daemon = status(&place)?["daemon"].clone();
        Ok(daemon.is_object().then_some(()))
    })?;
    answers.context("no daemon answers")?;
    assert_eq!(status(&place)?["daemon"]["pid"], daemon.id());
    feed(&place, "a")?;
    place.settle()?;
    assert!(daemon.try_wait()?.is_none());
    // What the service manager sends at the end of a session.
    let pid = rustix::process::Pid::from_child(&daemon);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM)?;
    assert!(daemon.wait()?.success());
    Ok(())
}

#[test]
fn systemd_takes_the_unit() -> Result<()> {
    let place = Installation::fresh()?;
    let unit = place.printed(&["daemon", "unit", "--systemd"])?;
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("bellwether.service");
    fs::write(&file, unit)?;
    let mut analyze = Command::new("systemd-analyze");
    let said = analyze
        .args(["verify", "--user", "--man=no"])
        .arg(&file)
        // Where no session of a person runs there is no such folder.
        .env("XDG_RUNTIME_DIR", folder.path())
        .output();
    let said = said.context("systemd-analyze, of the package systemd")?;
    let complaint = String::from_utf8_lossy(&said.stderr);
    assert!(
        said.status.success() && !complaint.contains("bellwether.service"),
        "{complaint}"
    );
    Ok(())
}
