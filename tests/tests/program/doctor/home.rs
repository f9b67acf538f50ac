//! Our files: their modes, their place, and the room that is left.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use anyhow::Result;
use bellwether_spine::clock;
use bellwether_tests::doctor::Said;
use bellwether_tests::namespace;
use serde_json::json;

use super::machine::{Machine, mode};

#[test]
fn open_files_are_closed_to_others() -> Result<()> {
    let machine = Machine::healthy()?;
    let home = machine.bellwether.home();
    std::fs::write(home.journal().join("dropped"), "")?;
    mode(&home.journal().join("dropped"), 0o644)?;
    machine.doctor()?.finds("home", "note", "dropped (644)")?;
    mode(home.state(), 0o755)?;
    machine
        .doctor()?
        .finds("home", "warning", "state (755), and 1 more")?;
    machine.fix()?.assert_good("home");
    assert_eq!(home.state().metadata()?.permissions().mode() & 0o777, 0o700);
    Ok(())
}

#[test]
fn sockets_that_had_to_move_are_told() -> Result<()> {
    let machine = Machine::healthy()?;
    let long = machine.path(&"x".repeat(120));
    let mut command = machine.command(&machine.bellwether.programs().main(), &["--json"]);
    let said = Said::by(&command.arg("--home").arg(long).output()?)?;
    said.finds("home", "note", "too long for sockets: they are in /tmp/")?;
    Ok(())
}

#[test]
fn little_room_is_told() -> Result<()> {
    let machine = Machine::healthy()?;
    let disk = machine.path("disk");
    std::fs::create_dir(&disk)?;
    let main = machine.bellwether.programs().main();
    let script =
        r#"mount -t tmpfs -o size=4m none "$DISK" && exec "$CLI" --home "$DISK" doctor --json"#;
    let output = namespace::mounting(Path::new("/bin/sh"))?
        .args(["-c", script])
        .env("HOME", machine.folder.path())
        .env("DISK", &disk)
        .env("CLI", main)
        .output()?;
    Said::by(&output)?.finds("home", "warning", "MiB are free")?;
    Ok(())
}

/// Room on a disk that cannot be written is of no use.
#[test]
fn a_home_that_cannot_be_written_is_a_problem() -> Result<()> {
    let machine = Machine::healthy()?;
    let disk = machine.path("disk");
    std::fs::create_dir(&disk)?;
    let script = r#"mount -t tmpfs none "$DISK" && mkdir "$DISK/state" && mount -o remount,ro "$DISK" &&
        exec "$CLI" --home "$DISK" doctor --json"#;
    let output = namespace::mounting(Path::new("/bin/sh"))?
        .args(["-c", script])
        .env("HOME", machine.folder.path())
        .env("DISK", &disk)
        .env("CLI", machine.bellwether.programs().main())
        .output()?;
    let said = Said::by(&output)?;
    said.finds(
        "home",
        "problem",
        "cannot be written: Read-only file system (os error 30)",
    )?;
    assert_eq!(said.of("home").len(), 1, "{:?}", said.of("home"));
    Ok(())
}

#[test]
fn mutes_are_named() -> Result<()> {
    let machine = Machine::healthy()?;
    assert!(
        machine
            .bellwether
            .cli(["mute", "30m"])
            .output()?
            .status
            .success()
    );
    let said = machine.doctor()?;
    let muted = said.finds(
        "sound",
        "note",
        "announcements are muted everywhere until 2",
    )?;
    assert_eq!(muted["advice"], "bellwether unmute");
    Ok(())
}

#[test]
fn troubles_are_told_latest_first_and_forgotten_by_a_fix() -> Result<()> {
    let machine = Machine::healthy()?;
    let at = clock::wall_ms();
    let line = |at_ms: u64, code: &str, text: &str| {
        json!({"happened": {"at_ms": at_ms, "code": code, "text": text}}).to_string() + "\n"
    };
    let lines = [
        line(at - 2, "first", "an old one"),
        line(at - 1, "second", "a \u{1b}[31mnew one with TOKEN=abc"),
    ];
    std::fs::write(machine.bellwether.home().troubles(), lines.concat())?;
    let said = machine.doctor()?;
    let texts: Vec<String> = said
        .of("troubles")
        .iter()
        .map(|finding| finding["text"].to_string())
        .collect();
    assert_eq!(texts.len(), 2);
    assert!(
        texts[0].ends_with("a new one with TOKEN=[masked]\""),
        "{texts:?}"
    );
    assert!(texts[1].contains("an old one"), "{texts:?}");
    machine.fix()?.assert_good("troubles");
    Ok(())
}
