//! `bellwether overlay`, with a stand-in for the program that draws.

use std::process::{Command, Output};

use anyhow::{Context as _, Result};
use bellwether_tests::{Installation, StandIn};
use serde_json::Value;

fn said(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&text).into_owned()
}

fn overlay<'a>(place: &Installation, words: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = place.cli(["overlay"].into_iter().chain(words));
    command.env("DISPLAY", ":7").env("HOME", place.root());
    command
}

#[test]
fn it_is_started_once_shown_and_ended() -> Result<()> {
    let stand_in = StandIn::new()?;
    let place = Installation::new(&stand_in.programs()?)?;
    let (_daemon, _) = place.start_serving(&[])?;
    let started = overlay(&place, ["--backend", "x11"]).output()?;
    assert_eq!(
        said(&started),
        "the overlay runs on :7; `bellwether overlay --stop` ends it\n"
    );
    let starts = stand_in.starts()?;
    let start = starts.first().context("no start")?;
    assert!(start.words.contains(" --backend x11 "), "{start:?}");
    assert_eq!(start.key.len(), 64, "{start:?}");
    let again = overlay(&place, []).output()?;
    let expected = format!("the overlay already runs on :7 (process {})\n", start.pid);
    assert!(again.status.success());
    assert_eq!(said(&again), expected);
    let status = overlay(&place, ["--status", "--json"]).output()?;
    let status: Value = serde_json::from_slice(&status.stdout)?;
    assert_eq!(status["running"][0]["pid"], start.pid);
    let doctor = place.cli(["doctor", "--json"]).output()?;
    let doctor = bellwether_tests::doctor::Said::by(&doctor)?;
    doctor.finds("overlay", "good", "running on :7")?;
    let ended = overlay(&place, ["--stop"]).output()?;
    assert_eq!(said(&ended), "the overlay on :7 has ended\n");
    let ended = overlay(&place, ["--stop"]).output()?;
    assert_eq!(said(&ended), "no overlay runs\n");
    assert_eq!(stand_in.starts()?.len(), 1);
    Ok(())
}

#[test]
fn without_a_display_a_program_or_a_person_it_says_why() -> Result<()> {
    let stand_in = StandIn::new()?;
    let place = Installation::new(&stand_in.programs()?)?;
    let (_daemon, _) = place.start_serving(&[])?;
    let blind = overlay(&place, []).env_remove("DISPLAY").output()?;
    assert_eq!(blind.status.code(), Some(1));
    assert_eq!(said(&blind).lines().count(), 1, "{}", said(&blind));
    assert!(said(&blind).contains("there is no display here"));
    let agent = overlay(&place, []).env("CLAUDECODE", "1").output()?;
    assert_eq!(agent.status.code(), Some(1));
    assert!(
        said(&agent).contains("not for an agent"),
        "{}",
        said(&agent)
    );
    std::fs::remove_file(stand_in.program())?;
    let missing = overlay(&place, []).output()?;
    assert_eq!(missing.status.code(), Some(1));
    assert!(said(&missing).contains("./install"), "{}", said(&missing));
    assert!(stand_in.starts()?.is_empty());
    Ok(())
}

#[test]
fn what_ends_at_once_is_told() -> Result<()> {
    let stand_in = StandIn::new()?;
    std::fs::write(
        stand_in.program(),
        "#!/bin/sh\necho no screen >&2; exit 1\n",
    )?;
    let place = Installation::new(&stand_in.programs()?)?;
    let (_daemon, _) = place.start_serving(&[])?;
    let started = overlay(&place, []).output()?;
    assert_eq!(started.status.code(), Some(1));
    assert!(
        said(&started).contains("the overlay ended at once"),
        "{}",
        said(&started)
    );
    let shown = overlay(&place, ["--foreground"]).output()?;
    assert_eq!(
        (said(&shown).as_str(), shown.status.code()),
        ("no screen\n", Some(1))
    );
    Ok(())
}

#[test]
fn the_desktop_starts_it_at_login_when_anybody_says_so() -> Result<()> {
    let stand_in = StandIn::new()?;
    let place = Installation::new(&stand_in.programs()?)?;
    let entry = place
        .root()
        .join(".config/autostart/bellwether-overlay.desktop");
    // The overlay's own menu asks it, so no person is asked for.
    let on = overlay(&place, ["--at-login", "on"])
        .env("CLAUDECODE", "1")
        .output()?;
    assert!(on.status.success(), "{}", said(&on));
    let text = std::fs::read_to_string(&entry)?;
    let main = place.programs().main();
    let line = format!(
        "Exec={} --home {} overlay\n",
        main.display(),
        place.root().display()
    );
    assert!(text.contains(&line), "{text}");
    std::fs::write(
        &entry,
        text.replace(" overlay\n", " overlay --backend x11\n"),
    )?;
    let off = overlay(&place, ["--at-login", "off"]).output()?;
    assert!(said(&off).contains("it is left as it is"), "{}", said(&off));
    std::fs::write(&entry, text)?;
    let off = overlay(&place, ["--at-login", "off"]).output()?;
    assert!(off.status.success() && !entry.exists(), "{}", said(&off));
    Ok(())
}
