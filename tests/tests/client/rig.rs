//! The rig proves itself, with nothing on the hooks but the recorder and what a test adds.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use bellwether_tests::watched::play;
use bellwether_tests::{
    Headless, Home, Hook, Interactive, Outcome, Scenario, processes, scenarios, wait,
};

use crate::RIG;

const PATIENCE: Duration = Duration::from_secs(20);

fn tool_uses(outcome: &Outcome, events: &[&str]) -> BTreeSet<String> {
    let records = events.iter().flat_map(|event| outcome.of(event));
    records
        .map(|record| record.text("tool_use_id").to_owned())
        .collect()
}

#[test]
fn a_headless_session_is_recorded_from_start_to_end() -> Result<()> {
    let home = Home::fresh(RIG)?;
    let outcome = play(&home, scenarios::basic())?;
    assert!(outcome.status.success(), "{}", outcome.stderr);
    assert_eq!(outcome.result(), "The poem is finished.");

    let first = &outcome.events[0];
    assert_eq!(
        (first.event(), first.text("source")),
        ("SessionStart", "startup")
    );
    assert_eq!(first.env["CLAUDE_CODE_SESSION_ATTENDED"], "0");
    assert_eq!(outcome.of("UserPromptSubmit").count(), 1);

    let begun = tool_uses(&outcome, &["PreToolUse"]);
    assert_eq!(begun.len(), 7);
    assert_eq!(
        begun,
        tool_uses(&outcome, &["PostToolUse", "PostToolUseFailure"])
    );
    let failures: Vec<&str> = outcome
        .of("PostToolUseFailure")
        .map(|record| record.text("error"))
        .collect();
    assert_eq!(failures, ["Exit code 3\nno such luck"]);

    let stops: Vec<&str> = outcome
        .of("Stop")
        .map(|record| record.text("last_assistant_message"))
        .collect();
    assert_eq!(stops, ["The poem is finished."]);
    assert_eq!(outcome.of("SessionEnd").count(), 1);
    let poem = std::fs::read_to_string(home.project().join("poem.txt"))?;
    assert_eq!(poem, "roses\nlilies\n");
    Ok(())
}

#[test]
fn the_client_is_cut_off() -> Result<()> {
    let home = Home::fresh(RIG)?;
    let probe = Scenario::new("probe")
        .says("Where am I?")
        .bash("cat /proc/net/dev; echo \"leaked: [$CARGO_MANIFEST_DIR] home: $HOME\"")
        .says("Nowhere.");
    let outcome = play(&home, probe)?;
    let seen = outcome.of("PostToolUse").next().context("no tool ran")?;
    let seen = seen.payload["tool_response"]["stdout"]
        .as_str()
        .unwrap_or_default();
    let interfaces: Vec<&str> = seen
        .lines()
        .filter_map(|line| Some(line.split_once(':')?.0.trim()))
        .filter(|name| *name != "leaked")
        .collect();
    assert_eq!(interfaces, ["lo"]);
    let own_home = format!("leaked: [] home: {}", home.dir().display());
    assert!(seen.contains(&own_home), "{seen}");
    Ok(())
}

#[test]
fn a_hook_beside_the_recorder_has_its_say() -> Result<()> {
    let home = Home::fresh(RIG)?;
    let refuse = Hook::exec("/bin/sh")
        .args(["-c", "echo not today >&2; exit 2"])
        .matching("Bash");
    home.write_settings(&home.recording().on(["PreToolUse"], &refuse))?;
    let outcome = play(&home, scenarios::one_bash())?;
    assert_eq!(outcome.of("PreToolUse").count(), 1);
    assert_eq!(outcome.of("PostToolUse").count(), 0);
    let answers = home.api_log()?;
    let told = answers
        .iter()
        .any(|request| request.to_string().contains("not today"));
    assert!(told, "{answers:?}");
    Ok(())
}

#[test]
fn subagents_follow_scenarios_of_their_own() -> Result<()> {
    let home = Home::fresh(RIG)?;
    let outcome = play(&home, scenarios::subagents())?;
    let stops: Vec<(&str, &str)> = outcome
        .of("SubagentStop")
        .map(|record| {
            (
                record.text("agent_type"),
                record.text("last_assistant_message"),
            )
        })
        .collect();
    assert_eq!(
        stops,
        [
            ("general-purpose", "I counted them all."),
            ("Explore", "The notes have two lines."),
        ]
    );
    assert_eq!(outcome.result(), "Both came back.");
    Ok(())
}

#[test]
fn tasks_are_created_and_completed() -> Result<()> {
    let home = Home::fresh(RIG)?;
    let outcome = play(&home, scenarios::tasks())?;
    assert_eq!(outcome.of("TaskCreated").count(), 2);
    let completed: Vec<&str> = outcome
        .of("TaskCompleted")
        .map(|record| record.text("task_subject"))
        .collect();
    assert_eq!(completed, ["Mend the fence"]);
    Ok(())
}

#[test]
fn an_api_error_ends_in_a_stop_failure() -> Result<()> {
    // Headless the client does not wait for this hook: it may be gone before the hook has recorded anything.
    let home = Home::fresh(RIG)?;
    let terminal = Interactive::new(&home).start()?;
    terminal.play(&scenarios::api_error())?;
    let failure = home.wait_for_record(|record| record.event() == "StopFailure", PATIENCE)?;
    let words = failure.text("last_assistant_message");
    assert!(words.contains("scripted invalid_request_error"), "{words}");
    Ok(())
}

#[test]
fn four_edits_of_one_turn_all_land() -> Result<()> {
    let home = Home::fresh(RIG)?;
    let outcome = play(&home, scenarios::parallel_edits())?;
    let edits = outcome
        .of("PostToolUse")
        .filter(|record| record.text("tool_name") == "Edit");
    assert_eq!(edits.count(), 4);
    Ok(())
}

#[test]
fn a_full_context_is_compacted() -> Result<()> {
    let home = Home::fresh(RIG)?;
    let outcome = play(&home, scenarios::compaction())?;
    let triggers: Vec<&str> = outcome
        .of("PreCompact")
        .map(|record| record.text("trigger"))
        .collect();
    assert_eq!(triggers, ["auto"]);
    let sources: Vec<&str> = outcome
        .of("SessionStart")
        .map(|record| record.text("source"))
        .collect();
    assert_eq!(sources, ["startup", "compact"]);
    Ok(())
}

#[test]
fn a_run_without_end_is_ended_with_all_it_started() -> Result<()> {
    let home = Home::fresh(RIG)?;
    let outcome = Headless::new(&home)
        .scenario(scenarios::long_tool(Duration::from_mins(5)))
        .args(["--allowedTools", "Bash"])
        .patience(Duration::from_secs(3))
        .run();
    assert!(outcome.is_err(), "{outcome:?}");
    assert_eq!(processes::of_home(&home.dir()), []);
    Ok(())
}

#[test]
fn a_killed_caller_leaves_nothing_running() -> Result<()> {
    let mut caller = Command::new(RIG)
        .args(["run", "long_tool", "--allowedTools", "Bash"])
        .stdout(Stdio::piped())
        .spawn()?;
    let stdout = caller.stdout.take().context("no stdout")?;
    let first_line = BufReader::new(stdout).lines().next().context("no line")??;
    let files = Path::new(first_line.trim_start_matches("files in "));
    let home = files.join("home");
    let running = || processes::of_home(&home).len();

    // The client, and the command it runs.
    wait::until(PATIENCE, || Ok((running() >= 2).then_some(())))?.context("nothing ran")?;
    caller.kill()?;
    caller.wait()?;
    wait::until(PATIENCE, || Ok((running() == 0).then_some(())))?.context("something runs on")?;
    std::fs::remove_dir_all(files)?;
    Ok(())
}

#[test]
fn a_daemon_outlives_the_client_but_not_the_home() -> Result<()> {
    let home = Home::fresh(RIG)?;
    let daemon = Scenario::new("daemon")
        .says("Something to stay.")
        .bash("setsid sleep 300 <&- >&- 2>&- &")
        .says("It stays.");
    play(&home, daemon)?;
    let dir = home.dir();
    assert_eq!(processes::of_home(&dir).len(), 1);
    drop(home);
    assert_eq!(processes::of_home(&dir), []);
    Ok(())
}

#[test]
fn a_permission_is_given_in_the_terminal() -> Result<()> {
    let home = Home::fresh(RIG)?;
    let terminal = Interactive::new(&home)
        .args(["--permission-mode", "default"])
        .start()?;
    terminal.play(&scenarios::permission())?;
    let asked = home.wait_for_record(|record| record.event() == "PermissionRequest", PATIENCE)?;
    assert_eq!(asked.text("tool_name"), "Bash");
    assert_eq!(asked.env["CLAUDE_CODE_SESSION_ATTENDED"], "1");
    assert!(!home.project().join("touched.txt").exists());

    terminal.answer("Do you want to proceed?", "Enter")?;
    terminal.answer("Do you want to create granted.txt?", "Enter")?;
    terminal.wait_for(
        |screen| screen.contains("Thank you for your trust."),
        PATIENCE,
    )?;
    assert!(home.project().join("touched.txt").exists());
    assert!(home.project().join("granted.txt").exists());

    home.wait_for_record(|record| record.event() == "Stop", PATIENCE)?;
    terminal.type_line("/exit")?;
    terminal.wait_for_exit(PATIENCE)?;
    let end = home.wait_for_record(|record| record.event() == "SessionEnd", PATIENCE)?;
    assert_eq!(end.text("reason"), "prompt_input_exit");
    terminal.stop();
    assert_eq!(processes::of_home(&home.dir()), []);
    Ok(())
}

#[test]
fn a_question_is_answered_in_the_terminal() -> Result<()> {
    let home = Home::fresh(RIG)?;
    let terminal = Interactive::new(&home).start()?;
    terminal.play(&scenarios::question())?;
    terminal.answer("Enter to select", "2")?;
    terminal.wait_for(|screen| screen.contains("So be it."), PATIENCE)?;
    let answered = home.wait_for_record(|record| record.event() == "PostToolUse", PATIENCE)?;
    assert!(
        answered.payload["tool_response"]
            .to_string()
            .contains("Downhill")
    );
    Ok(())
}
