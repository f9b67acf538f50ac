//! Answers from the page under the real client: what is allowed there runs, what is refused there is told to the model,
//! and the terminal's own dialog works on and wins when it is first.

use std::time::Duration;

use anyhow::{Context as _, Result};
use bellwether_tests::{Answered, Beside, DIALOG, Scenario, Terminal, wait};
use serde_json::{Value, json};

use crate::RIG;

const PATIENCE: Duration = Duration::from_mins(1);

fn touches(name: &str) -> Scenario {
    Scenario::new(name)
        .says("I make a file.")
        .bash("touch made.txt")
        .says("That is all.")
}

fn answer(beside: &Beside<'_>, permission: &Value, body: &Value) -> Result<(u16, Value)> {
    let id = permission["id"].as_str().context("no id")?;
    beside.post(&format!("/api/permissions/{id}"), body)
}

fn at_its_end(terminal: &Terminal<'_>) -> Result<String> {
    terminal.wait_for(
        |screen| screen.contains("That is all.") && !screen.contains(DIALOG),
        PATIENCE,
    )
}

#[test]
fn what_is_allowed_on_the_page_runs() -> Result<()> {
    let answered = Answered::new(RIG)?;
    let terminal = answered.terminal()?;
    let beside = Beside::of(&terminal, &answered.state())?;
    let mut page = beside.listen()?;
    page.next_of("ready")?;
    terminal.play(&touches("allowed"))?;
    let permission = page.next_of("permission")?;
    assert_eq!(permission["command"], "touch made.txt", "{permission}");
    terminal.wait_for(|screen| screen.contains(DIALOG), PATIENCE)?;
    assert!(!answered.made().exists(), "it waits for an answer");
    let (status, said) = answer(&beside, &permission, &json!({"answer": "allow"}))?;
    assert_eq!(status, 200, "{said}");
    at_its_end(&terminal)?;
    assert!(answered.made().exists(), "it was allowed");
    assert_eq!(page.next_of("permission-settled")?["how"], "allowed");
    Ok(())
}

#[test]
fn what_is_refused_on_the_page_is_told_to_the_model() -> Result<()> {
    let answered = Answered::new(RIG)?;
    let terminal = answered.terminal()?;
    let beside = Beside::of(&terminal, &answered.state())?;
    let mut page = beside.listen()?;
    page.next_of("ready")?;
    terminal.play(&touches("refused"))?;
    let permission = page.next_of("permission")?;
    let wish = json!({"answer": "deny", "message": "name it notes.md"});
    assert_eq!(answer(&beside, &permission, &wish)?.0, 200);
    at_its_end(&terminal)?;
    assert!(!answered.made().exists(), "it was refused");
    let told = answered.told("refused")?;
    assert!(
        told.contains("The person refused this: name it notes.md"),
        "{told}"
    );
    Ok(())
}

#[test]
fn the_terminal_wins_when_it_is_first() -> Result<()> {
    let answered = Answered::new(RIG)?;
    let terminal = answered.terminal()?;
    let beside = Beside::of(&terminal, &answered.state())?;
    let mut page = beside.listen()?;
    page.next_of("ready")?;
    terminal.play(&touches("first"))?;
    let permission = page.next_of("permission")?;
    terminal.answer(DIALOG, "Enter")?;
    assert_eq!(page.next_of("permission-settled")?["how"], "terminal");
    at_its_end(&terminal)?;
    assert!(answered.made().exists(), "it was allowed");
    let (status, said) = answer(&beside, &permission, &json!({"answer": "deny"}))?;
    assert_eq!(status, 409, "{said}");
    // Whoever interrupts the turn stops the hook with it.
    let again = Scenario::new("interrupted")
        .says("Once more.")
        .bash("touch made.txt again.txt")
        .says("Not reached.");
    terminal.play(&again)?;
    page.next_of("permission")?;
    terminal.answer(DIALOG, "Escape")?;
    assert_eq!(page.next_of("permission-settled")?["how"], "gone");
    let waits = || Ok((beside.get("/api/permissions")?["waiting"] == json!([])).then_some(()));
    wait::until(PATIENCE, waits)?.context("something still waits")
}

/// Longer than the client takes to repeat a question where it does.
const LONG: Duration = Duration::from_secs(50);

fn two_in_the_background() -> Scenario {
    let inner = |name: &str| {
        Scenario::new(name)
            .says("I make a file.")
            .bash(&format!("touch {name}.txt"))
            .says("It is made.")
    };
    Scenario::new("both")
        .says("Two shall do it.")
        .background_agent("general-purpose", "The one", inner("one"))
        .background_agent("general-purpose", "The other", inner("other"))
        .says("They are at it.")
}

/// The names of the files that are asked about, as the flock tells of those who need the person.
fn needed_for(beside: &Beside<'_>) -> Result<Vec<String>> {
    let agents = beside.get("/api/agents")?;
    let agents = agents["agents"].as_array().context("no agents")?.iter();
    let mut asked: Vec<String> = agents
        .filter(|agent| agent["status"] == "pending_input")
        .map(|agent| agent["dialogs"][0]["what"].to_string())
        .collect();
    asked.sort();
    Ok(asked)
}

fn until_needed_for(beside: &Beside<'_>, files: &[&str]) -> Result<()> {
    let wanted: Vec<String> = files
        .iter()
        .map(|name| format!("\"touch {name}.txt\""))
        .collect();
    let look = || Ok((needed_for(beside)? == wanted).then_some(()));
    wait::until(PATIENCE, look)?
        .with_context(|| format!("not {wanted:?} but {:?}", needed_for(beside)))
}

#[test]
fn subagents_in_the_background_are_asked_about_in_the_terminal_and_need_the_person_until_answered()
-> Result<()> {
    let answered = Answered::new(RIG)?;
    let terminal = answered.terminal()?;
    let beside = Beside::of(&terminal, &answered.state())?;
    let mut page = beside.listen()?;
    page.next_of("ready")?;
    terminal.play(&two_in_the_background())?;
    // The client asks in the terminal only once no hook waits.
    terminal.wait_for(|screen| screen.contains(DIALOG), Duration::from_secs(15))?;
    for _ in 0..2 {
        let permission = page.next_of("permission")?;
        assert_eq!(permission["only_in_terminal"], true, "{permission}");
        let (status, said) = answer(&beside, &permission, &json!({"answer": "allow"}))?;
        assert_eq!(status, 409, "{said}");
    }
    until_needed_for(&beside, &["one", "other"])?;
    std::thread::sleep(LONG);
    until_needed_for(&beside, &["one", "other"])?;
    // A stream is listened to for a minute.
    let mut page = beside.listen()?;
    page.next_of("ready")?;
    let asks_about = |name: &str, screen: &str| {
        screen.contains(DIALOG) && screen.contains(&format!("touch {name}.txt"))
    };
    let screen = terminal.wait_for(|screen| screen.contains(DIALOG), PATIENCE)?;
    let (first, second) = if asks_about("one", &screen) {
        ("one", "other")
    } else {
        ("other", "one")
    };
    terminal.keys(&["Enter"])?;
    terminal.wait_for(|screen| asks_about(second, screen), PATIENCE)?;
    assert_eq!(
        page.next_of("permission-settled")?["how"],
        "terminal",
        "{first}"
    );
    until_needed_for(&beside, &[second])?;
    terminal.answer(DIALOG, "Escape")?;
    assert_eq!(
        page.next_of("permission-settled")?["how"],
        "terminal",
        "{second}"
    );
    until_needed_for(&beside, &[])
}
