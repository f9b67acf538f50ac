//! Whole sessions of the real client: what a recorder sees beside us is what we store, once each.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context as _, Result};
use bellwether_hook::handlers::registrations;
use bellwether_tests::{Home, Hook, Interactive, Programs, Watched, client, processes, scenarios};
use serde_json::Value;

use crate::RIG;

const PATIENCE: Duration = Duration::from_secs(20);

/// Compares what the recorder saw, of the events that we register, with what we stored.
fn assert_same(watched: &Watched) -> Result<Vec<Value>> {
    let ours: Vec<&str> = registrations()
        .iter()
        .map(|wanted| wanted.kind.as_str())
        .collect();
    let recorded = watched.home.recorded()?;
    let recorded = recorded
        .iter()
        .filter(|record| ours.contains(&record.event()));
    let stored = watched.stored()?;
    assert_eq!(
        count(recorded.map(|record| &record.payload)),
        count(stored.iter().map(|event| &event["payload"]))
    );
    assert_in_order(&stored);
    Ok(stored)
}

/// How often each payload came.
fn count<'a>(payloads: impl Iterator<Item = &'a Value>) -> BTreeMap<String, usize> {
    payloads.fold(BTreeMap::new(), |mut count, payload| {
        *count.entry(payload.to_string()).or_default() += 1;
        count
    })
}

/// Places go up by one, times do not go down by more than two hooks may overlap, and a tool call
/// begins before it ends.
fn assert_in_order(stored: &[Value]) {
    let mut begun = Vec::new();
    for (place, event) in (1..).zip(stored) {
        assert_eq!(event["seq"], place);
        let payload = &event["payload"];
        let call = &payload["tool_use_id"];
        match payload["hook_event_name"].as_str().unwrap_or_default() {
            "PreToolUse" => begun.push(call),
            "PostToolUse" | "PostToolUseFailure" => {
                assert!(begun.contains(&call), "{payload} ended before it began");
            }
            _ => {}
        }
    }
}

fn names(stored: &[Value]) -> Vec<&str> {
    stored
        .iter()
        .map(|event| {
            event["payload"]["hook_event_name"]
                .as_str()
                .unwrap_or_default()
        })
        .collect()
}

#[test]
fn a_headless_session_is_stored_once_and_in_order() -> Result<()> {
    let watched = Watched::new(RIG)?;
    watched.play(scenarios::basic())?;
    let stored = assert_same(&watched)?;
    let names = names(&stored);
    assert_eq!(names[0], "SessionStart");
    assert_eq!(
        names.iter().filter(|name| **name == "PreToolUse").count(),
        7
    );
    for name in [
        "UserPromptSubmit",
        "PostToolUseFailure",
        "Stop",
        "SessionEnd",
    ] {
        assert!(names.contains(&name), "{name} is missing in {names:?}");
    }
    let meta = &stored[0]["meta"];
    assert_eq!(meta["client_version"], client::CLIENT_VERSION);
    assert_eq!(meta["attended"], false);
    assert_eq!(meta["from"], "user");
    assert_eq!(meta["workspace_id"], "project");
    Ok(())
}

#[test]
fn subagents_tasks_and_compaction_are_stored_once() -> Result<()> {
    let watched = Watched::new(RIG)?;
    for scenario in [
        scenarios::subagents(),
        scenarios::tasks(),
        scenarios::compaction(),
    ] {
        watched.play(scenario)?;
    }
    let stored = assert_same(&watched)?;
    let names = names(&stored);
    for name in [
        "SubagentStart",
        "SubagentStop",
        "TaskCreated",
        "TaskCompleted",
        "PreCompact",
    ] {
        assert!(names.contains(&name), "{name} is missing in {names:?}");
    }
    Ok(())
}

#[test]
fn an_interactive_session_is_stored_once_and_in_order() -> Result<()> {
    let watched = Watched::new(RIG)?;
    let home = &watched.home;
    let terminal = Interactive::new(home)
        .args(["--permission-mode", "default"])
        .start()?;
    terminal.play(&scenarios::permission())?;
    terminal.answer("Do you want to proceed?", "Enter")?;
    terminal.answer("Do you want to create granted.txt?", "Enter")?;
    home.wait_for_record(|record| record.event() == "Stop", PATIENCE)?;
    terminal.type_line("/exit")?;
    terminal.wait_for_exit(PATIENCE)?;
    let stored = assert_same(&watched)?;
    assert!(names(&stored).contains(&"PermissionRequest"));
    assert_eq!(stored[0]["meta"]["attended"], true);
    Ok(())
}

#[test]
fn a_daemon_survives_the_timeout_of_the_hook_that_started_it() -> Result<()> {
    let home = Home::fresh(RIG)?;
    let programs = Programs::built()?;
    // Our hook ends at once; what called it is still there when the client's patience ends.
    let script = format!("'{}' ; exec sleep 60", programs.hook().display());
    let slow = Hook::exec("/bin/sh").args(["-c", &script]).timeout(1);
    home.write_settings(&home.recording().on(["UserPromptSubmit"], &slow))?;
    let watched = Watched { home, programs };
    watched.play(scenarios::one_bash())?;
    let daemons = processes::of_home(&watched.home.dir());
    assert_eq!(
        daemons.len(),
        1,
        "the daemon and nothing else is left of the hook's children"
    );
    let stored = watched.stored()?;
    assert_eq!(names(&stored), ["UserPromptSubmit"]);
    Ok(())
}

/// The client's own measure: it would wait half a second for whoever held the hook's streams.
#[test]
fn a_hook_that_starts_the_daemon_does_not_hold_the_client() -> Result<()> {
    let (home, programs) = (Home::fresh(RIG)?, Programs::built()?);
    home.write_settings(&home.recording().on(["Stop"], &Hook::exec(programs.hook())))?;
    let watched = Watched { home, programs };
    watched.play(scenarios::one_bash())?;
    let transcript = transcript(&watched.home)?;
    let timed: Vec<u64> = transcript
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|line| line["hookInfos"].as_array().cloned())
        .flatten()
        .filter(|hook| {
            hook["command"]
                .as_str()
                .unwrap_or_default()
                .contains("bellwether-hook")
        })
        .filter_map(|hook| hook["durationMs"].as_u64())
        .collect();
    assert_eq!(timed.len(), 1, "{transcript}");
    assert!(timed[0] < 400, "{timed:?}");
    assert_eq!(
        processes::of_home(&watched.home.dir()).len(),
        1,
        "the daemon runs"
    );
    Ok(())
}

fn transcript(home: &Home) -> Result<String> {
    let recorded = home.recorded()?;
    let path = recorded
        .first()
        .context("nothing was recorded")?
        .text("transcript_path")
        .to_owned();
    Ok(std::fs::read_to_string(path)?)
}
