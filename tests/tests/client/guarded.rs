//! The real client with our guard in it, as people install it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::run::said;
use bellwether_tests::{
    Headless, Home, Interactive, Outcome, Programs, Scenario, Terminal, client, jsonl,
};
use serde_json::Value;

use crate::RIG;

pub(super) const PATIENCE: Duration = Duration::from_secs(30);
/// Nothing names what this deletes before it runs. The client has no words of its own against it.
pub(super) const ASKED: &str = r#"find "$(ls | grep victim)" -delete"#;
/// What the agent hears about it, wherever it is refused or asked.
pub(super) const UNKNOWN: &str = "whose value is unknown until it runs";
/// Deletes a file that git has never seen.
pub(super) const DENIED: &str = "git clean -fd";
pub(super) const CLEANS: &str = "deletes files that git cannot bring back";

/// A home of the real client with our hook in it, as people install it.
pub(super) struct Guarded {
    pub(super) home: Home,
    pub(super) programs: Programs,
}

impl Guarded {
    pub(super) fn new() -> Result<Self> {
        Self::installed_with(&[])
    }

    /// The same with options of `install`.
    pub(super) fn installed_with(options: &[&str]) -> Result<Self> {
        let guarded = Self::without_hooks(Home::fresh(RIG)?)?;
        let words = [
            "install",
            "--user",
            "--client-version",
            client::CLIENT_VERSION,
        ];
        let installed = guarded.cli(&[&words, options].concat())?;
        ensure!(installed.status.success(), "{}", said(&installed));
        Ok(guarded)
    }

    /// A home in which nothing of ours is registered.
    pub(super) fn without_hooks(home: Home) -> Result<Self> {
        let programs = own_programs(&home)?;
        let guarded = Self { home, programs };
        guarded.accept_bypassing()?;
        guarded.put_bait()?;
        Ok(guarded)
    }

    /// The person has read the client's warning about running without permissions.
    fn accept_bypassing(&self) -> Result<()> {
        let file = self.home.dir().join(".claude.json");
        let mut state: Value = serde_json::from_slice(&fs::read(&file)?)?;
        state["bypassPermissionsModeAccepted"] = true.into();
        Ok(fs::write(&file, state.to_string())?)
    }

    /// Puts in place what dangerous commands would take away.
    pub(super) fn put_bait(&self) -> Result<()> {
        fs::create_dir_all(self.victim())?;
        fs::write(self.victim().join("work.txt"), "three days of it\n")?;
        Ok(fs::write(self.marker(), "here\n")?)
    }

    /// A folder that git knows nothing of.
    pub(super) fn victim(&self) -> PathBuf {
        self.home.project().join("victim")
    }

    /// A file of the home.
    pub(super) fn marker(&self) -> PathBuf {
        self.home.dir().join("marker")
    }

    /// Deletes the client's home, named so that nothing else can be hit.
    pub(super) fn delete_home(&self) -> String {
        format!("rm -rf {}", self.home.dir().display())
    }

    pub(super) fn state(&self, name: &str) -> PathBuf {
        self.home.dir().join(".local/state/bellwether").join(name)
    }

    fn command(&self, program: &str, words: &[&str]) -> Command {
        let mut command = self.home.command(Path::new(program));
        command.args(words);
        command
    }

    fn cli(&self, words: &[&str]) -> Result<Output> {
        let program = self.programs.main().display().to_string();
        Ok(self.command(&program, words).output()?)
    }

    /// The same by a person at a terminal.
    pub(super) fn by_person(&self, line: &str) -> Result<String> {
        let line = format!("'{}' {line}", self.programs.main().display());
        let output = self
            .command("script", &["-qec", &line, "/dev/null"])
            .output()?;
        ensure!(output.status.success(), "{line}: {}", said(&output));
        Ok(said(&output))
    }

    fn folder(&self) -> Result<PathBuf> {
        let program = self.programs.main().canonicalize()?;
        Ok(program
            .parent()
            .context("a program is in a folder")?
            .to_owned())
    }

    /// Plays a scenario without a terminal.
    pub(super) fn play(&self, mode: &str, scenario: Scenario) -> Result<Outcome> {
        let outcome = Headless::new(&self.home)
            .scenario(scenario)
            .path_first(&self.folder()?)
            // The client lets nobody who is root bypass permissions elsewhere.
            .env("IS_SANDBOX", "1")
            .args(["--permission-mode", mode, "--allowedTools", "Bash"])
            .run()?;
        ensure!(outcome.status.success(), "{}", outcome.stderr);
        Ok(outcome)
    }

    /// Starts a session in a terminal.
    pub(super) fn terminal(&self, mode: &str) -> Result<Terminal<'_>> {
        Interactive::new(&self.home)
            .path_first(&self.folder()?)
            .env("IS_SANDBOX", "1")
            .env("CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS", "1")
            .args(["--permission-mode", mode, "--teammate-mode", "in-process"])
            .start()
    }

    /// The results of tool calls that the model has seen in a scenario, in order.
    pub(super) fn results(&self, scenario: &str) -> Result<Vec<String>> {
        let log = self.home.api_log()?;
        let mut talk = log
            .iter()
            .filter(|request| request["script"] == scenario && request["kind"] == "Talk");
        // Every request holds the whole conversation; the last one has all of it.
        let messages = talk.next_back().map(|request| &request["messages"]);
        let blocks = messages.and_then(Value::as_array).into_iter().flatten();
        let blocks = blocks.filter_map(|message| message["content"].as_array());
        Ok(blocks
            .flatten()
            .filter(|block| block["type"] == "tool_result")
            .map(|block| text_of(&block["content"]))
            .collect())
    }

    pub(super) fn audit(&self) -> Result<Vec<Value>> {
        jsonl::parse(&fs::read_to_string(self.state("audit.jsonl"))?)
    }

    pub(super) fn verify(&self) -> Result<String> {
        Ok(said(&self.cli(&["guard", "log", "--verify"])?))
    }
}

/// Programs of this home alone: what an agent does to them is nobody else's trouble.
fn own_programs(home: &Home) -> Result<Programs> {
    let (built, folder) = (Programs::built()?, home.dir().join(".local/bin"));
    fs::create_dir_all(&folder)?;
    for program in [built.main(), built.hook()] {
        let name = program.file_name().context("a program has a name")?;
        fs::copy(&program, folder.join(name))?;
    }
    Programs::in_folder(folder)
}

/// The text of a tool's result, which is a string or a list of blocks.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        other => {
            let blocks = other.as_array().into_iter().flatten();
            blocks.filter_map(|block| block["text"].as_str()).collect()
        }
    }
}

/// A screen's words, wherever its lines were broken.
pub(super) fn words(screen: &str) -> String {
    let words = screen
        .split_whitespace()
        .filter(|word| !word.chars().all(|char| "│╭╰─╮╯".contains(char)));
    words.collect::<Vec<_>>().join(" ")
}

/// Asserts that a model was told why something did not happen, and not how to get around it.
#[track_caller]
pub(super) fn assert_refused(result: &str, why: &str) {
    assert!(result.contains(why), "{why} is not in: {result}");
    assert!(result.contains("bellwether"), "{result}");
    assert!(!result.contains("guard allow"), "{result}");
}
