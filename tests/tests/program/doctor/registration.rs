//! Our own entries in the client's settings.

use std::process::Command;

use anyhow::Result;
use bellwether_spine::config::Trust;
use bellwether_tests::doctor::Said;
use bellwether_tests::{Hook, Settings};

use super::machine::{Machine, registered};

#[test]
fn the_clients_folder_can_be_elsewhere() -> Result<()> {
    let machine = Machine::healthy()?;
    let mut command = machine.command(&machine.bellwether.programs().main(), &["--json"]);
    let said = Said::by(
        &command
            .env("CLAUDE_CONFIG_DIR", machine.path("other"))
            .output()?,
    )?;
    said.finds("registration", "problem", "not registered")?;
    Ok(())
}

#[test]
fn a_registration_is_compared_with_what_is_wanted() -> Result<()> {
    let machine = Machine::healthy()?;
    let user = ".claude/settings.json";
    machine.settings(user, &Settings::new())?;
    let said = machine.doctor()?;
    let finding = said.finds("registration", "problem", "not registered")?;
    assert_eq!(finding["advice"], "bellwether install");

    machine.settings(user, &Settings::new().on(["Stop"], &machine.hook()))?;
    let said = machine.doctor()?;
    let finding = said.finds(
        "registration",
        "warning",
        "29 events not registered, so not seen: ConfigChange",
    )?;
    assert_eq!(
        finding["fix"],
        serde_json::Value::Null,
        "it may be meant so"
    );
    machine.settings(
        user,
        &Settings::new().on(["Stop"], &machine.hook().matching("x")),
    )?;
    machine
        .doctor()?
        .finds("registration", "note", "limits Stop to some cases")?;

    let root = machine.bellwether.root().display().to_string();
    let gone = Hook::exec("/gone/bellwether-hook").args(["--home", &root]);
    machine.settings(user, &registered(&gone))?;
    machine.doctor()?.finds(
        "registration",
        "problem",
        "/gone/bellwether-hook does not exist",
    )?;

    let older = Hook::exec(machine.bellwether.programs().hook())
        .args(["--home", &root, "--client", "2.1.200"]);
    machine.settings(user, &registered(&older))?;
    machine.doctor()?.finds(
        "registration",
        "note",
        "for Claude Code 2.1.200, installed is 2.1.325",
    )?;

    machine.settings(
        user,
        &registered(&Hook::exec(machine.bellwether.programs().hook())),
    )?;
    machine
        .doctor()?
        .finds("registration", "warning", "in the usual folders")?;
    Ok(())
}

#[test]
fn a_registration_is_put_right_by_a_fix() -> Result<()> {
    let machine = Machine::healthy()?;
    let theirs = Settings::new().on(["Stop"], &Hook::exec("/bin/true"));
    machine.settings(".claude/settings.json", &theirs)?;
    let said = machine.doctor()?;
    assert_eq!(
        said.finds("registration", "problem", "not registered")?["fix"],
        "run bellwether install"
    );
    machine.fix()?.assert_good("registration");
    let written = std::fs::read_to_string(machine.path(".claude/settings.json"))?;
    assert!(written.contains("/bin/true"), "{written}");

    machine.client("echo 2.1.324")?;
    machine
        .doctor()?
        .finds("registration", "note", "for Claude Code 2.1.325")?;
    machine.fix()?.assert_good("registration");

    // An older client ignores the whole file for one event that it does not know.
    machine.client("echo 2.1.90")?;
    let said = machine.doctor()?;
    said.finds("settings", "problem", "ignores the whole file")?;
    let found = said.finds("registration", "note", "installed is 2.1.90")?;
    assert_eq!(found["fix"], "run bellwether upgrade");
    let fixed = machine.fix()?;
    fixed.assert_good("settings");
    fixed.assert_good("registration");
    Ok(())
}

/// The rig's hooks have 20 s, which is enough for everything but an answer from the page.
#[test]
fn too_little_time_for_an_answer_from_the_page_is_put_right() -> Result<()> {
    let machine = Machine::healthy()?;
    machine.doctor()?.assert_good("registration");
    machine.bellwether.configure("page: {answer: true}\n")?;
    let said = machine.doctor()?;
    let found = said.finds("registration", "warning", "waits 20 s for an answer")?;
    assert_eq!(found["fix"], "run bellwether install");
    machine.fix()?.assert_good("registration");
    let written = std::fs::read_to_string(machine.path(".claude/settings.json"))?;
    assert_eq!(
        written.matches("\"timeout\": 600").count() + written.matches("\"timeout\":600").count(),
        1,
        "{written}"
    );
    Ok(())
}

/// They may take 50 s, and the rig's hooks have 20 s.
#[test]
fn too_little_time_for_the_checks_before_a_commit_is_put_right() -> Result<()> {
    let machine = Machine::healthy()?;
    let project = machine.path("project").canonicalize()?;
    let made = Command::new("git")
        .args(["init", "-q"])
        .current_dir(&project)
        .status()?;
    assert!(made.success());
    machine.bellwether.configure("gate: {enabled: true}\n")?;
    machine.doctor()?.assert_good("registration");

    let mut trust = Trust::load(machine.bellwether.home());
    trust.grant(project.join(".claude/bellwether.yaml"), b"");
    trust.save(machine.bellwether.home())?;
    let said = machine.doctor()?;
    let words =
        "`gate.enabled` is on, and Claude Code waits 20 s for an answer where it should wait 60 s";
    let found = said.finds("registration", "warning", words)?;
    assert_eq!(found["fix"], "run bellwether install");
    machine.fix()?.assert_good("registration");
    Ok(())
}

#[test]
fn a_registration_in_two_files_is_told_once() -> Result<()> {
    let machine = Machine::healthy()?;
    // The client runs equal commands once.
    machine.project_settings(&registered(&machine.hook()))?;
    machine.doctor()?.assert_good("twice");
    machine.project_settings(&registered(&machine.hook().args(["--from", "project"])))?;
    let said = machine.doctor()?;
    let finding = said.finds(
        "twice",
        "warning",
        "30 events registered in the user and the project settings",
    )?;
    assert_eq!(finding["advice"], "bellwether uninstall --project");
    assert_eq!(said.of("twice").len(), 1);

    let user = Settings::new()
        .on(["Stop"], &machine.hook())
        .on(["Stop"], &machine.hook().args(["x"]));
    machine.project_settings(&Settings::new())?;
    machine.settings(".claude/settings.json", &user)?;
    machine
        .doctor()?
        .finds("twice", "warning", "twice in the user settings")?;
    Ok(())
}
