//! The daemon and the journal that it reads.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixListener;
use std::thread::JoinHandle;

use anyhow::{Result, ensure};
use bellwether_tests::{Installation, fixture};
use serde_json::json;

use super::machine::{Machine, mode};

#[test]
fn events_that_wait_are_stored_by_a_fix() -> Result<()> {
    let machine = Machine::healthy()?;
    let place = &machine.bellwether;
    let mut hook = place.hook();
    let (_open, stdin) =
        bellwether_tests::installation::filled_stdin(&fixture::tool_call("a", 200))?;
    ensure!(hook.arg("--no-daemon").stdin(stdin).status()?.success());
    machine
        .doctor()?
        .finds("daemon", "warning", "is not running, and")?;
    let said = machine.fix()?;
    assert!(
        said.of("daemon")
            .iter()
            .all(|finding| finding["fix"].is_null()),
        "{:?}",
        said.of("daemon")
    );
    said.assert_good("journal");
    assert_eq!(place.count()?, 1);
    assert_eq!(place.daemons()?.len(), 1);
    Ok(())
}

#[test]
fn a_running_daemon_is_good_and_a_busy_port_is_told() -> Result<()> {
    let machine = Machine::healthy()?;
    let daemon = machine.bellwether.start_daemon(&[])?;
    machine.doctor()?.assert_good("daemon");
    drop(daemon);
    let taken = std::net::TcpListener::bind("127.0.0.1:0")?;
    let port = taken.local_addr()?.port().to_string();
    ensure!(
        machine
            .bellwether
            .cli(["daemon", "start", "--port", &port])
            .output()?
            .status
            .success()
    );
    machine.doctor()?.finds("daemon", "warning", &port)?;
    Ok(())
}

/// Answers as a daemon of another version would, until it is stopped.
fn older_daemon(place: &Installation) -> Result<JoinHandle<Result<()>>> {
    let socket = place.home().control_socket();
    let listener = UnixListener::bind(&socket)?;
    // No process has this number, so nobody waits for its end.
    let status = json!({"status": {"pid": u32::MAX, "version": "0.0.1", "up_ms": 5, "events": 0, "port": null,
        "http_trouble": null, "store_trouble": "the disk is full", "torn": 0, "foreign": 0}});
    Ok(std::thread::spawn(move || {
        for stream in listener.incoming() {
            let stream = stream?;
            for line in BufReader::new(stream.try_clone()?).lines() {
                if line?.contains("stop") {
                    // Gone before it says so, as the caller looks for it at once.
                    std::fs::remove_file(&socket)?;
                    writeln!(&stream, "\"done\"")?;
                    return Ok(());
                }
                writeln!(&stream, "{status}")?;
            }
        }
        Ok(())
    }))
}

#[test]
fn a_daemon_of_another_version_is_replaced_by_a_fix() -> Result<()> {
    let machine = Machine::healthy()?;
    let older = older_daemon(&machine.bellwether)?;
    let said = machine.doctor()?;
    said.finds("daemon", "note", "the daemon is version 0.0.1")?;
    said.finds("daemon", "problem", "cannot store: the disk is full")?;
    let said = machine.fix()?;
    assert!(
        !said
            .of("daemon")
            .iter()
            .any(|finding| finding.to_string().contains("version 0.0.1")),
        "{:?}",
        said.of("daemon")
    );
    assert_eq!(machine.bellwether.daemons()?.len(), 1);
    older
        .join()
        .map_err(|_| anyhow::anyhow!("the older daemon panicked"))?
}

#[test]
fn a_journal_that_nobody_stores_or_that_lost_something_is_told() -> Result<()> {
    let machine = Machine::healthy()?;
    let place = &machine.bellwether;
    let journal = place.home().journal();
    std::fs::write(journal.join("dropped"), "...")?;
    mode(&journal.join("dropped"), 0o600)?;
    machine
        .doctor()?
        .finds("journal", "warning", "journal was full: 3")?;
    std::fs::remove_file(journal.join("dropped"))?;

    std::fs::write(
        journal.join("0000000001.jsonseq"),
        "\u{1e}{\"half\": \u{1e}{}\n",
    )?;
    let older = older_daemon(place)?;
    machine
        .doctor()?
        .finds("journal", "problem", "are not stored")?;
    ensure!(
        place
            .at_terminal(["daemon", "stop"])
            .output()?
            .status
            .success()
    );
    older
        .join()
        .map_err(|_| anyhow::anyhow!("the older daemon panicked"))??;

    let _daemon = place.start_daemon(&[])?;
    place.settle()?;
    machine
        .doctor()?
        .finds("journal", "note", "incomplete records (1)")?;
    Ok(())
}
