//! Answers from the page under the real client: what is allowed there runs, what is refused there is told to the model,
//! and the terminal's own dialog works on and wins when it is first.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::{
    Beside, Home, Interactive, Programs, Scenario, Terminal, client, env, wait,
};
use serde_json::{Value, json};

const RIG: &str = env!("CARGO_BIN_EXE_rig");
const PATIENCE: Duration = Duration::from_mins(1);
const DIALOG: &str = "Do you want to proceed?";

/// A home of the real client with our hook in it, as people install it, and answers from the page switched on.
struct Answered {
    home: Home,
    programs: Programs,
}

impl Answered {
    fn new() -> Result<Self> {
        let answered = Self {
            home: Home::fresh(RIG)?,
            programs: Programs::built()?,
        };
        let config = answered.home.dir().join(".config/bellwether");
        fs::create_dir_all(&config)?;
        fs::write(config.join("config.yaml"), "page: {answer: true}\n")?;
        answered.cli(&["install", "--client-version", client::CLIENT_VERSION])?;
        let project = answered.home.project().display().to_string();
        answered.cli(&["config", "compile", "--project", &project])?;
        Ok(answered)
    }

    fn cli(&self, words: &[&str]) -> Result<()> {
        let output = Command::new(self.programs.main())
            .args(words)
            .env_clear()
            .env("HOME", self.home.dir())
            .env("PATH", env::SYSTEM_PATH)
            .current_dir(self.home.project())
            .stdin(Stdio::null())
            .output()?;
        ensure!(
            output.status.success(),
            "{words:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(())
    }

    fn state(&self) -> PathBuf {
        self.home.dir().join(".local/state/bellwether")
    }

    fn terminal(&self) -> Result<Terminal<'_>> {
        Interactive::new(&self.home)
            .args(["--permission-mode", "default"])
            .start()
    }

    fn made(&self) -> PathBuf {
        self.home.project().join("made.txt")
    }

    /// Everything that the model was told in a scenario.
    fn told(&self, scenario: &str) -> Result<String> {
        let log = self.home.api_log()?;
        let talk = log.iter().filter(|request| request["script"] == scenario);
        let last = talk.last().map(|request| &request["messages"]);
        Ok(last.context("nothing was asked of the model")?.to_string())
    }
}

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
    let answered = Answered::new()?;
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
    let answered = Answered::new()?;
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
    let answered = Answered::new()?;
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
