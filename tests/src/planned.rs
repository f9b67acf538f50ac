//! A project whose workflow is on, in an installation of its own, and a client that tells of tasks.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use crate::Installation;
use crate::run::{fed, said};

pub struct Planned {
    pub place: Installation,
}

impl Planned {
    /// Turned on by a person, with these lines in the section `workflow` of their configuration.
    pub fn with(lines: &str) -> Result<Self> {
        Self::of(Installation::fresh()?, lines)
    }

    /// The same in this installation.
    pub fn of(place: Installation, lines: &str) -> Result<Self> {
        let planned = Self { place };
        fs::create_dir_all(planned.project())?;
        planned
            .place
            .configure(&format!("workflow: {{{lines}}}\n"))?;
        let output = planned.at_terminal(&["init"])?;
        ensure!(output.status.success(), "{}", said(&output));
        Ok(planned)
    }

    pub fn project(&self) -> PathBuf {
        self.place.root().join("project")
    }

    pub fn file(&self) -> PathBuf {
        self.project().join(".bellwether/workflow.json")
    }

    /// `bellwether workflow …`, without a terminal.
    pub fn cli(&self, words: &[&str]) -> Command {
        let project = self.project().display().to_string();
        self.place.cli(in_project(&project, words))
    }

    /// The same as a person runs it.
    pub fn at_terminal(&self, words: &[&str]) -> Result<Output> {
        let project = self.project().display().to_string();
        Ok(self
            .place
            .at_terminal(in_project(&project, words))
            .output()?)
    }

    /// What a person is told; the command has to succeed.
    pub fn person(&self, words: &[&str]) -> Result<String> {
        let output = self.at_terminal(words)?;
        ensure!(output.status.success(), "{words:?}: {}", said(&output));
        Ok(said(&output).trim().to_owned())
    }

    /// Why a person is refused something.
    pub fn refused(&self, words: &[&str]) -> Result<String> {
        let output = self.at_terminal(words)?;
        ensure!(!output.status.success(), "{words:?}: {}", said(&output));
        Ok(said(&output).trim().to_owned())
    }

    /// `workflow status --json`.
    pub fn status(&self) -> Result<Value> {
        let output = self
            .cli(&["status", "--json", "--history", "1000"])
            .output()?;
        ensure!(output.status.success(), "{}", said(&output));
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    /// The feature in `workflow status --json`.
    pub fn feature(&self, name: &str) -> Result<Value> {
        let status = self.status()?;
        let features = status["features"].as_array().context("no features")?;
        let found = features.iter().find(|feature| feature["name"] == name);
        found
            .cloned()
            .with_context(|| format!("no {name} in {status}"))
    }

    /// The status file as it stands.
    pub fn read(&self) -> Result<Value> {
        let text = fs::read(self.file())?;
        serde_json::from_slice(&text).context("the status file is torn")
    }

    /// A hook as the client starts it in this project.
    pub fn hook(&self) -> Command {
        let mut hook = self.place.hook();
        hook.env("CLAUDE_PROJECT_DIR", self.project());
        hook
    }

    /// What the hook answers to an event.
    pub fn tell(&self, event: &Value) -> Result<Output> {
        fed(self.hook(), event.to_string())
    }

    /// A task is put on the list, and done.
    pub fn done(&self, id: &str, subject: &str) -> Result<Value> {
        self.tell(&created(id, subject))?;
        let output = self.tell(&moved(id, "completed"))?;
        ensure!(output.status.code() == Some(0), "{}", said(&output));
        match output.stdout.as_slice() {
            [] => Ok(Value::Null),
            stdout => Ok(serde_json::from_slice(stdout)?),
        }
    }
}

fn in_project<'a>(project: &'a str, words: &[&'a str]) -> Vec<&'a str> {
    [&["workflow", "--project", project], words].concat()
}

/// The client has put a task on its list.
pub fn created(id: &str, subject: &str) -> Value {
    json!({"session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "TaskCreate",
        "tool_input": {"subject": subject, "description": "d"}, "tool_response": {"task": {"id": id, "subject": subject}}})
}

/// It has moved one.
pub fn moved(id: &str, status: &str) -> Value {
    json!({"session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "TaskUpdate",
        "tool_input": {"taskId": id, "status": status},
        "tool_response": {"success": true, "taskId": id, "statusChange": {"from": "pending", "to": status}}})
}

/// A member of the team has nothing to do.
pub fn idle(name: &str) -> Value {
    json!({"session_id": "s", "hook_event_name": "TeammateIdle", "agent_id": format!("a{name}-20abaa3412251a65"),
        "agent_type": name, "teammate_name": name, "team_name": "session-s"})
}
