//! A scenario: what the model will say and do, turn by turn.
//!
//! It reads like a sentence: [`says`](Scenario::says) begins a turn, and what follows belongs to that turn. Several
//! tools in one turn run in parallel. [`PROJECT`] in any string stands for the project folder.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::dialect::Dialect;

/// Stands for the project folder until the scenario is installed in a home.
pub const PROJECT: &str = "@PROJECT@";

/// A named list of assistant turns, and the scenarios its subagents follow.
#[derive(Clone, Debug)]
pub struct Scenario {
    name: String,
    steps: Vec<Step>,
    inner: Vec<Scenario>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Step {
    /// What the model thinks first.
    pub thinking: Option<String>,
    pub text: String,
    /// The tools it calls, in parallel.
    pub tools: Vec<Tool>,
    /// Why the turn ended, where that is not plain from the tools.
    pub stop_reason: Option<String>,
    pub usage: Usage,
    /// How long the API is silent before the turn.
    pub delay_ms: u64,
    /// How long it pauses after each piece of text.
    pub slow_ms: u64,
    /// Instead of all that, an error.
    pub error: Option<ApiError>,
    /// From here on the model does what it is told, in this project, and the scenario is over when it was told nothing more.
    pub obeys_in: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tool {
    pub name: String,
    pub input: Value,
}

/// The tokens a turn reports.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the whole conversation so far.
    pub input_tokens: u64,
    pub output_tokens: u64,
}

impl Default for Usage {
    fn default() -> Self {
        Self {
            input_tokens: 1_200,
            output_tokens: 42,
        }
    }
}

/// An error of the API.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ApiError {
    pub status: u16,
    /// The type in the body: `overloaded_error` and the like.
    pub kind: String,
}

impl Scenario {
    /// A scenario without turns.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.into(),
            steps: Vec::new(),
            inner: Vec::new(),
        }
    }

    /// Begins a turn with words.
    #[must_use]
    pub fn says(mut self, text: &str) -> Self {
        self.steps.push(Step {
            text: text.into(),
            ..Step::default()
        });
        self
    }

    /// Begins a turn that is an error of the API.
    #[must_use]
    pub fn fails(mut self, status: u16, kind: &str) -> Self {
        self.steps.push(Step {
            error: Some(ApiError {
                status,
                kind: kind.into(),
            }),
            ..Step::default()
        });
        self
    }

    /// Ends with a model that does what it is told: see [`crate::obedient`].
    #[must_use]
    pub fn obeys(mut self) -> Self {
        self.steps.push(Step {
            obeys_in: Some(PROJECT.into()),
            ..Step::default()
        });
        self
    }

    #[must_use]
    pub fn tool(self, name: &str, input: Value) -> Self {
        let name = name.into();
        self.turn(|step| step.tools.push(Tool { name, input }))
    }

    #[must_use]
    pub fn bash(self, command: &str) -> Self {
        let input = json!({"command": command, "description": "A scripted command"});
        self.tool("Bash", input)
    }

    /// Writes a file of the project.
    #[must_use]
    pub fn write(self, file: &str, content: &str) -> Self {
        let input = json!({"file_path": in_project(file), "content": content});
        self.tool("Write", input)
    }

    /// Reads a file of the project.
    #[must_use]
    pub fn read(self, file: &str) -> Self {
        self.tool("Read", json!({"file_path": in_project(file)}))
    }

    /// Edits a file of the project.
    #[must_use]
    pub fn edit(self, file: &str, old: &str, new: &str) -> Self {
        let input = json!({"file_path": in_project(file), "old_string": old, "new_string": new});
        self.tool("Edit", input)
    }

    /// Starts a subagent that follows a scenario of its own, and waits for it.
    #[must_use]
    pub fn agent(self, agent_type: &str, description: &str, inner: Scenario) -> Self {
        self.subagent(agent_type, description, inner, false)
    }

    /// Starts a subagent that follows a scenario of its own in the background, and goes on.
    #[must_use]
    pub fn background_agent(self, agent_type: &str, description: &str, inner: Scenario) -> Self {
        self.subagent(agent_type, description, inner, true)
    }

    fn subagent(
        mut self,
        agent_type: &str,
        description: &str,
        inner: Scenario,
        in_background: bool,
    ) -> Self {
        let input = json!({
            "subagent_type": agent_type,
            "description": description,
            "prompt": inner.prompt(),
            "run_in_background": in_background,
        });
        self.inner.push(inner);
        self.tool("Agent", input)
    }

    /// Starts a member of the team that follows a scenario of its own. The client has teams only when
    /// `CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS` is set.
    #[must_use]
    pub fn teammate(mut self, name: &str, inner: Scenario) -> Self {
        let input = json!({
            "subagent_type": "general-purpose",
            "description": "A scripted helper",
            "name": name,
            "prompt": inner.prompt(),
        });
        self.inner.push(inner);
        self.tool("Agent", input)
    }

    /// Thinks before the turn's words.
    #[must_use]
    pub fn thinks(self, thinking: &str) -> Self {
        self.turn(|step| step.thinking = Some(thinking.into()))
    }

    /// Is silent before the turn.
    #[must_use]
    pub fn after(self, delay: Duration) -> Self {
        self.turn(|step| step.delay_ms = millis(delay))
    }

    /// Is silent before every turn so far, as a model that thinks is.
    #[must_use]
    pub fn paced(mut self, delay: Duration) -> Self {
        for step in &mut self.steps {
            step.delay_ms = millis(delay);
        }
        self
    }

    /// Pauses after each piece of the turn's text.
    #[must_use]
    pub fn slowly(self, pause: Duration) -> Self {
        self.turn(|step| step.slow_ms = millis(pause))
    }

    /// Ends the turn for another reason: `max_tokens`, `refusal`.
    #[must_use]
    pub fn stops_for(self, reason: &str) -> Self {
        self.turn(|step| step.stop_reason = Some(reason.into()))
    }

    /// Reports that the conversation has grown to so many tokens.
    #[must_use]
    pub fn having_read(self, input_tokens: u64) -> Self {
        self.turn(|step| step.usage.input_tokens = input_tokens)
    }

    /// The same with the tools' names as a version has them.
    #[must_use]
    pub fn in_dialect(mut self, dialect: Dialect) -> Self {
        for tool in self.steps.iter_mut().flat_map(|step| &mut step.tools) {
            tool.name = dialect.tool(&tool.name).to_owned();
        }
        let inner = self.inner.into_iter();
        self.inner = inner.map(|inner| inner.in_dialect(dialect)).collect();
        self
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// A prompt that makes the fake API follow the scenario.
    pub fn prompt(&self) -> String {
        format!("[[script:{}]] Please follow the script.", self.name)
    }

    /// Writes the scenario, and those of its subagents, where the fake API looks for them.
    pub fn install(&self, folder: &Path, project: &Path) -> Result<()> {
        let json = serde_json::to_string_pretty(&self.steps)?;
        let json = json.replace(PROJECT, &project.display().to_string());
        let file = file_of(folder, &self.name);
        fs::write(&file, json).with_context(|| format!("writing {}", file.display()))?;
        self.inner
            .iter()
            .try_for_each(|inner| inner.install(folder, project))
    }

    fn turn(mut self, change: impl FnOnce(&mut Step)) -> Self {
        if self.steps.is_empty() {
            self.steps.push(Step::default());
        }
        if let Some(step) = self.steps.last_mut() {
            change(step);
        }
        self
    }
}

/// The turns of an installed scenario; `None` if there is no such scenario.
pub fn load(folder: &Path, name: &str) -> Result<Option<Vec<Step>>> {
    let file = file_of(folder, name);
    if !file.exists() {
        return Ok(None);
    }
    let json = fs::read(&file).with_context(|| format!("reading {}", file.display()))?;
    let steps = serde_json::from_slice(&json).with_context(|| format!("in {}", file.display()))?;
    Ok(Some(steps))
}

fn file_of(folder: &Path, name: &str) -> std::path::PathBuf {
    folder.join(format!("{name}.json"))
}

fn in_project(file: &str) -> String {
    format!("{PROJECT}/{file}")
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
