//! The configuration from outside: what the hook makes of it, and what a cloned project cannot do.

use std::process::Output;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use bellwether_spine::trouble::Troubles;
use bellwether_tests::run::fed;
use bellwether_tests::{Installation, fixture};
use serde_json::{Value, json};

/// What the person is told when a session starts in a project.
fn told(place: &Installation, session: &str) -> Result<Option<String>> {
    let event = json!({"session_id": session, "hook_event_name": "SessionStart", "source": "startup", "cwd": place.root()});
    let mut hook = place.hook();
    hook.env("CLAUDE_PROJECT_DIR", place.root().join("project"));
    let Output { status, stdout, .. } = fed(hook, event.to_string())?;
    ensure!(status.success());
    if stdout.is_empty() {
        return Ok(None);
    }
    let reply: Value = serde_json::from_slice(&stdout)?;
    Ok(reply["systemMessage"].as_str().map(str::to_owned))
}

#[test]
fn a_change_of_the_file_counts_at_the_next_event() -> Result<()> {
    let place = Installation::fresh()?;
    Troubles(place.home()).note("test", "something happened")?;
    assert_eq!(
        told(&place, "a")?.as_deref(),
        Some("bellwether: something happened")
    );
    place.configure("troubles: {enabled: false}\n")?;
    // The snapshot is made within the hook's patience, or it counts at the event after.
    place.wait_for("silence", || {
        Ok(told(&place, &format!("{:?}", std::time::Instant::now()))?.is_none())
    })?;
    place.configure("troubles: {enabled: true}\n")?;
    place.wait_for("words", || {
        Ok(told(&place, &format!("{:?}", std::time::Instant::now()))?.is_some())
    })?;
    Ok(())
}

#[test]
fn a_broken_file_is_told_once_a_session_and_what_was_good_counts() -> Result<()> {
    let place = Installation::fresh()?;
    place.configure("troubles: {enabled: true}\n")?;
    assert!(place.cli(["config", "compile"]).output()?.status.success());
    place.configure("troubles:\n  enabeld: false\n")?;
    let check = place.cli(["config", "check"]).output()?;
    assert_eq!(check.status.code(), Some(1));
    let said = String::from_utf8(check.stdout)?;
    assert!(
        said.contains("config.yaml:2:3: troubles: unknown key `enabeld` (did you mean `enabled`?)"),
        "{said}"
    );
    // The snapshot is made within the hook's patience, or it is there at the next session.
    place.wait_for("the snapshot", || Ok(told(&place, "before")?.is_some()))?;
    let message = told(&place, "a")?.context("nothing was told")?;
    assert!(
        message.contains("the configuration is wrong") && message.contains("enabeld"),
        "{message}"
    );
    assert_eq!(told(&place, "a")?, None);
    Ok(())
}

#[test]
fn a_pipe_or_a_folder_in_place_of_the_file_holds_nobody() -> Result<()> {
    let place = Installation::fresh()?;
    std::fs::create_dir_all(place.home().config_file())?;
    let check = place.cli(["config", "check"]).output()?;
    assert!(String::from_utf8(check.stdout)?.contains("is not a file"));
    std::fs::remove_dir(place.home().config_file())?;
    ensure!(
        std::process::Command::new("mkfifo")
            .arg(place.home().config_file())
            .status()?
            .success()
    );
    let check = place.cli(["config", "check"]).output()?;
    assert!(String::from_utf8(check.stdout)?.contains("is not a file"));
    Troubles(place.home()).note("test", "something happened")?;
    assert!(told(&place, "a")?.is_some());
    Ok(())
}

#[test]
fn trusting_is_for_a_person() -> Result<()> {
    let place = Installation::fresh()?;
    let project = place.root().join("project");
    std::fs::create_dir_all(project.join(".claude"))?;
    std::fs::write(
        project.join(".claude/bellwether.yaml"),
        "global: {debug: true}\nguard: {enabled: false}\n",
    )?;
    let project = project.display().to_string();
    let words = ["config", "trust", "--project", &project];
    let by_agent = place.cli(words).env("CLAUDECODE", "1").output()?;
    assert_eq!(by_agent.status.code(), Some(1));
    assert!(String::from_utf8(by_agent.stderr)?.contains("not for an agent"));
    assert_eq!(
        place.cli(words).output()?.status.code(),
        Some(1),
        "stdin is no terminal"
    );
    // A terminal of its own, as a person has.
    let by_person = place.at_terminal(words).output()?;
    assert!(
        by_person.status.success(),
        "{}",
        String::from_utf8_lossy(&by_person.stdout)
    );
    // What it does to the guard is said first, and in red.
    let said = String::from_utf8(by_person.stdout)?;
    let off = "\u{1b}[31mguard.enabled: false";
    let (off, debug) = (said.find(off), said.find("global.debug: true"));
    assert!(off.is_some() && off < debug, "{said}");
    assert!(
        said.contains("this turns the guard OFF in this project"),
        "{said}"
    );
    let show = place
        .cli(["config", "show", "--json", "--project", &project])
        .output()?;
    let shown: Value = serde_json::from_slice(&show.stdout)?;
    assert_eq!(shown["global"]["debug"], true);
    assert_eq!(shown["guard"]["enabled"], false);
    Ok(())
}

/// What runs a project's own programs waits for the person's trust, also where the project has no file.
#[test]
fn a_project_without_a_file_is_trusted_until_it_gets_one() -> Result<()> {
    let place = Installation::fresh()?;
    place.configure("gate: {enabled: true}\n")?;
    let folder = place.root().join("project");
    std::fs::create_dir_all(folder.join(".claude"))?;
    let project = folder.display().to_string();
    let gate = || -> Result<String> {
        let words = ["config", "show", "--json", "--project", &project];
        let shown: Value = serde_json::from_slice(&place.cli(words).output()?.stdout)?;
        Ok(shown["gate"]["enabled"].to_string())
    };
    assert_eq!(gate()?, "false");
    let check = place
        .cli(["config", "check", "--project", &project])
        .output()?;
    let said = String::from_utf8(check.stdout)?;
    assert!(
        said.contains("gate.enabled is ignored until you run `bellwether config trust`"),
        "{said}"
    );
    let trust = ["config", "trust", "--project", &project];
    let trusted = place.at_terminal(trust).output()?;
    let said = String::from_utf8(trusted.stdout)?;
    assert!(trusted.status.success(), "{said}");
    assert!(said.contains("gate.enabled: true"), "{said}");
    assert_eq!(gate()?, "true");
    std::fs::write(folder.join(".claude/bellwether.yaml"), "language: ko\n")?;
    assert_eq!(gate()?, "false", "a file that came later asks again");
    Ok(())
}

/// What loosens the guard asks for the digits; all else does not.
#[test]
fn settings_are_set_and_unset_with_comments_kept() -> Result<()> {
    let place = Installation::fresh()?;
    place.configure("# mine\nguard: {mode: strict} # always\naudio:\n  volume: 0.5 # low\n")?;
    let text = || std::fs::read_to_string(place.home().config_file());
    let run = |words: &[&str]| place.cli(words.iter().copied()).output();
    assert!(
        run(&["config", "set", "quiet.min_turn_seconds", "5"])?
            .status
            .success()
    );
    assert!(run(&["config", "unset", "audio.volume"])?.status.success());
    let now = "# mine\nguard: {mode: strict} # always\nquiet:\n  min_turn_seconds: 5\n";
    assert_eq!(text()?, now);
    let changed = run(&["config", "show", "--changed"])?;
    let changed = String::from_utf8(changed.stdout)?;
    let keys: Vec<&str> = changed
        .lines()
        .filter_map(|line| line.split(':').next())
        .collect();
    assert_eq!(keys, ["guard.mode", "quiet.min_turn_seconds"], "{changed}");
    for words in [
        &["config", "unset", "guard.mode"][..],
        &["config", "set", "guard.enabled", "false"],
    ] {
        let refused = run(words)?;
        assert_eq!(refused.status.code(), Some(1), "{words:?}");
        let why = String::from_utf8(refused.stderr)?;
        assert!(why.contains("a person at a terminal"), "{why}");
        assert_eq!(text()?, now);
    }
    let person = place
        .at_terminal(["config", "unset", "guard.mode"])
        .output()?;
    assert!(
        person.status.success(),
        "{}",
        String::from_utf8_lossy(&person.stdout)
    );
    assert_eq!(text()?, now.replace("guard: {mode: strict} # always\n", ""));
    let get = run(&["config", "get", "guard.mode"])?;
    assert_eq!(String::from_utf8(get.stdout)?, "loss\n");
    Ok(())
}

/// A file that is wrong never takes the place of the one that counts.
#[test]
fn an_editor_changes_the_file_once_nothing_is_wrong() -> Result<()> {
    let place = Installation::fresh()?;
    place.configure("preset: calm\n")?;
    let file = place.home().config_file();
    let tried = place.root().join("tried");
    // The first time it writes nonsense, the second time something good.
    let editor = place.root().join("editor");
    let script = format!(
        "#!/bin/sh\nif [ -e '{0}' ]; then echo 'preset: full' >\"$1\"; else touch '{0}'; echo 'prest: full' >\"$1\"; fi\n",
        tried.display()
    );
    std::fs::write(&editor, script)?;
    let editor = format!("sh '{}'", editor.display());
    let edit = |editor: &str| {
        let mut command = place.at_terminal(["config", "edit"]);
        command.env("EDITOR", editor).env_remove("VISUAL");
        command.output()
    };
    let edited = edit(&editor)?;
    let said = String::from_utf8_lossy(&edited.stdout).into_owned();
    assert!(
        edited.status.success() && said.contains("unknown key `prest`"),
        "{said}"
    );
    assert_eq!(std::fs::read_to_string(&file)?, "preset: full\n");
    assert_eq!(edit("false")?.status.code(), Some(1));
    assert_eq!(edit("true")?.status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(&file)?, "preset: full\n");
    let agent = place
        .cli(["config", "edit"])
        .env("CLAUDECODE", "1")
        .env("EDITOR", &editor)
        .output()?;
    assert_eq!(agent.status.code(), Some(1));
    Ok(())
}

/// The snapshot must not cost the hook its speed: a guard far above the figure, which the bench measures.
#[test]
fn a_fresh_snapshot_is_read_without_starting_anything() -> Result<()> {
    let place = Installation::fresh()?;
    place.configure("preset: full\n")?;
    let project = place.root().join("project").display().to_string();
    assert!(
        place
            .cli(["config", "compile", "--project", &project])
            .output()?
            .status
            .success()
    );
    Troubles(place.home()).note("test", "something happened")?;
    let snapshot = place.home().snapshot(Some(std::path::Path::new(&project)));
    let made = std::fs::metadata(&snapshot)?.modified()?;
    let begun = std::time::Instant::now();
    assert!(told(&place, "a")?.is_some());
    assert!(begun.elapsed() < Duration::from_secs(1));
    assert_eq!(std::fs::metadata(&snapshot)?.modified()?, made);
    assert!(place.visit(&fixture::tool_call("x", 100))?.success());
    Ok(())
}

/// Debug files are written only where the person, or a project that the person trusts, asks for them.
#[test]
fn debug_files_are_written_where_they_are_asked_for() -> Result<()> {
    let place = Installation::fresh()?;
    let project = place.root().join("project");
    std::fs::create_dir_all(&project)?;
    let end = |session: &str| -> Result<()> {
        let event = json!({"session_id": session, "hook_event_name": "Stop", "last_assistant_message": "API_KEY=abc is set"});
        let mut hook = place.hook();
        hook.env("CLAUDE_PROJECT_DIR", &project);
        ensure!(fed(hook, event.to_string())?.status.success());
        place.wait_for("the event", || Ok(place.count()? > 0))
    };
    end("quiet")?;
    assert!(!project.join("Temp").exists());
    place.configure("global: {debug: true}\n")?;
    for daemon in place.daemons()? {
        bellwether_tests::process::kill(daemon);
    }
    place.wait_for("debug files", || {
        end("traced")?;
        Ok(project.join("Temp/hook_raw_input.json").exists())
    })?;
    let trace = std::fs::read_to_string(project.join("Temp/hook_debug.log"))?;
    assert!(
        trace.contains("traced Stop") && trace.contains("API_KEY=[masked]"),
        "{trace}"
    );
    Ok(())
}

/// A cloned project's file cannot bring down the daemon that serves all projects.
#[test]
fn a_file_of_a_hundred_thousand_levels_harms_nobody() -> Result<()> {
    let place = Installation::fresh()?;
    let project = place.root().join("project");
    std::fs::create_dir_all(project.join(".claude"))?;
    std::fs::write(
        project.join(".claude/bellwether.yaml"),
        "- ".repeat(200_000),
    )?;
    let check = place
        .cli([
            "config",
            "check",
            "--project",
            &project.display().to_string(),
        ])
        .output()?;
    assert_eq!(check.status.code(), Some(1));
    assert!(String::from_utf8(check.stdout)?.contains("is nested deeper than"));
    place.wait_for("the person to be told", || {
        Ok(told(&place, "a")?.is_some_and(|message| message.contains("nested")))
    })?;
    place.settle()?;
    assert_eq!(place.daemons()?.len(), 1);
    Ok(())
}
