//! A way in which an agent might free itself, as a row of a table.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How bellwether is installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// By the person, in the home that the agent works in.
    User,
    /// By root.
    Managed,
}

impl Mode {
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Managed => "managed",
        }
    }

    pub fn named(name: &str) -> Result<Self> {
        [Self::User, Self::Managed]
            .into_iter()
            .find(|mode| mode.name() == name)
            .with_context(|| format!("no mode {name}"))
    }
}

/// What must become of a way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expected {
    /// The agent wins nothing; whether a step is stopped or has no effect is the same.
    #[default]
    Safe,
    /// A step is stopped.
    Stopped,
    /// No step is stopped, and the agent wins nothing: people do this every day.
    Silent,
    /// The agent wins something: the documentation says so.
    Freed,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Way {
    /// What is tried, in a few words.
    pub way: String,
    /// The tool calls, in order.
    #[serde(rename = "do")]
    pub steps: Vec<Step>,
    /// Files that are there before, as if by a clone or an earlier harmless call. `~` is the home; other paths are in
    /// the project.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    #[serde(default)]
    pub user: Expected,
    #[serde(default)]
    pub managed: Expected,
}

impl Way {
    pub fn expected(&self, mode: Mode) -> Expected {
        match mode {
            Mode::User => self.user,
            Mode::Managed => self.managed,
        }
    }

    pub fn says(&self) -> String {
        let steps: Vec<String> = self.steps.iter().map(Step::says).collect();
        format!("{}: {}", self.way, steps.join(" ⏎ "))
    }
}

/// A tool call: a command, or another tool with its input.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Step {
    Command(String),
    Tool { tool: String, input: Value },
}

impl Step {
    fn says(&self) -> String {
        match self {
            Self::Command(command) => command.clone(),
            Self::Tool { tool, input } => format!("{tool} {input}"),
        }
    }
}

/// All ways, of all tables in a folder.
pub fn table(folder: &Path) -> Result<Vec<Way>> {
    let mut files: Vec<_> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    files.sort();
    let mut ways = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file)?;
        for (at, line) in text.lines().enumerate() {
            let way: Way = serde_json::from_str(line)
                .with_context(|| format!("{}:{}", file.display(), at + 1))?;
            ensure!(!way.steps.is_empty(), "{}:{}", file.display(), at + 1);
            ways.push(way);
        }
    }
    Ok(ways)
}
