//! The guard under the real client: what is refused is not run in any mode, its model hears why and its
//! person is told; what is asked is shown.

use anyhow::{Context as _, Result};
use bellwether_tests::{Scenario, wait};
use serde_json::{Value, json};

use super::guarded::{ASKED, CLEANS, DENIED, Guarded, PATIENCE, UNKNOWN, assert_refused, words};

#[test]
fn without_a_terminal_all_that_is_stopped_is_refused() -> Result<()> {
    let guarded = Guarded::new()?;
    for mode in [
        "default",
        "auto",
        "acceptEdits",
        "bypassPermissions",
        "plan",
    ] {
        let name = format!("stopped_{mode}");
        let scenario = Scenario::new(&name)
            .says("The home first.")
            .bash(&guarded.delete_home())
            .says("Then what git does not know.")
            .bash(DENIED)
            .says("And something else.")
            .bash(ASKED)
            .says("That was it.");
        let outcome = guarded.play(mode, scenario)?;
        let results = guarded.results(&name)?;
        assert_eq!(results.len(), 3, "{mode}: {results:?}");
        for (result, why) in results.iter().zip(["it deletes", CLEANS, UNKNOWN]) {
            assert_refused(result, why);
        }
        assert!(
            results[2].contains("nobody can be asked now"),
            "{results:?}"
        );
        let person = format!("{:?}", outcome.stream);
        assert!(
            person.contains("bellwether guard allow"),
            "{mode}: {person}"
        );
        assert!(guarded.victim().join("work.txt").exists());
        assert!(guarded.marker().exists());
    }
    let modes: Vec<Value> = guarded
        .audit()?
        .iter()
        .map(|line| line["mode"].clone())
        .collect();
    assert_eq!(modes.len(), 15, "{modes:?}");
    Ok(())
}

/// What a session in a terminal shows and does when something is refused, asked, and neither.
fn ask_in(mode: &str) -> Result<()> {
    let guarded = Guarded::new()?;
    let terminal = guarded.terminal(mode)?;
    let scenario = Scenario::new("asked")
        .says("What git does not know goes first.")
        .bash(DENIED)
        .says("May I delete something?")
        .bash(ASKED)
        .says("It seems not.");
    terminal.play(&scenario)?;
    let screen = terminal.wait_for(|screen| words(screen).contains(UNKNOWN), PATIENCE)?;
    assert!(
        words(&screen).contains("bellwether refused: you would lose"),
        "the person is not told: {screen}"
    );
    assert!(words(&screen).contains("bellwether asks first"), "{screen}");
    assert!(guarded.victim().exists(), "it must wait for an answer");
    terminal.answer("Do you want to proceed?", "2")?;
    assert!(guarded.victim().exists(), "it was refused");

    let again = Scenario::new("asked_again")
        .says("May I now?")
        .bash(ASKED)
        .says("Thank you.");
    terminal.play(&again)?;
    terminal.answer("Do you want to proceed?", "Enter")?;
    terminal.wait_for(|screen| screen.contains("Thank you."), PATIENCE)?;
    assert!(!guarded.victim().exists(), "it was allowed");

    assert_refused(&guarded.results("asked_again")?[0], CLEANS);
    let audit = guarded.audit()?;
    let said: Vec<(&Value, &Value)> = audit.iter().map(|it| (&it["said"], &it["mode"])).collect();
    let (deny, ask, mode) = (&json!("deny"), &json!("ask"), &json!(mode));
    assert_eq!(said, [(deny, mode), (ask, mode), (ask, mode)]);
    Ok(())
}

#[test]
fn in_default_mode_the_dialog_is_shown() -> Result<()> {
    ask_in("default")
}

#[test]
fn in_auto_mode_the_dialog_is_shown() -> Result<()> {
    ask_in("auto")
}

#[test]
fn where_edits_are_accepted_the_dialog_is_shown() -> Result<()> {
    ask_in("acceptEdits")
}

#[test]
fn where_permissions_are_bypassed_a_question_is_a_refusal() -> Result<()> {
    let guarded = Guarded::new()?;
    let terminal = guarded.terminal("bypassPermissions")?;
    let scenario = Scenario::new("bypassed")
        .says("The home first.")
        .bash(&guarded.delete_home())
        .says("Something else, then.")
        .bash(ASKED)
        .says("Neither went.");
    terminal.play(&scenario)?;
    let screen = terminal.wait_for(|screen| screen.contains("Neither went."), PATIENCE)?;
    assert!(
        words(&screen).contains("To allow this for 10 minutes, run in your own terminal"),
        "{screen}"
    );
    let results = guarded.results("bypassed")?;
    assert_refused(&results[0], "it deletes");
    assert_refused(&results[1], "nobody can be asked now");
    assert!(guarded.marker().exists() && guarded.victim().exists());
    Ok(())
}

#[test]
fn helpers_are_guarded_as_the_session_is() -> Result<()> {
    let guarded = Guarded::new()?;
    let inner = |name: &str| {
        Scenario::new(name)
            .says("I clean up.")
            .bash(DENIED)
            .says("And more.")
            .bash(ASKED)
            .says("I could not.")
    };
    let scenario = Scenario::new("helpers")
        .says("Somebody should clean up.")
        .agent("general-purpose", "Clean up", inner("subagent"))
        .says("Somebody of the team should.")
        .teammate("sweeper", inner("teammate"))
        .says("Neither could.");
    let terminal = guarded.terminal("bypassPermissions")?;
    terminal.play(&scenario)?;
    for helper in ["subagent", "teammate"] {
        let results = wait::until(PATIENCE, || {
            Ok(Some(guarded.results(helper)?).filter(|results| results.len() >= 2))
        })?;
        let results = results.with_context(|| format!("{helper} did nothing"))?;
        assert_refused(&results[0], CLEANS);
        assert_refused(&results[1], UNKNOWN);
    }
    assert!(guarded.victim().exists());
    let agents: Vec<Value> = guarded
        .audit()?
        .iter()
        .map(|it| it["agent"].clone())
        .collect();
    assert_eq!(agents.len(), 4, "{agents:?}");
    assert!(
        agents[2].as_str().is_some_and(|it| it.contains("sweeper")),
        "{agents:?}"
    );
    Ok(())
}
