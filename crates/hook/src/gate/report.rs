//! What the checks of a tree came to: what `bellwether gate run --json` says, and the hook hears.

use serde::{Deserialize, Serialize};

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub outcome: Outcome,
    #[serde(default)]
    pub steps: Vec<StepReport>,
    /// For the agent, when something failed or took too long.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// For the person.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// What becomes of the commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// There was nothing to check, or nothing that could be.
    Nothing,
    /// Every check that could run has passed.
    Passed,
    /// None has failed, and some had not ended at the deadline.
    Late,
    Failed,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepReport {
    pub name: String,
    #[serde(default)]
    pub command: String,
    pub state: State,
    #[serde(default)]
    pub seconds: f64,
    /// The first useful lines of what it said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
}

/// How far a check is, or how it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It has not begun. Only while a run goes on.
    Waiting,
    /// Only while a run goes on.
    Running,
    Passed,
    Failed,
    /// It had not ended at the deadline.
    Late,
    /// A tool or what it depends on is not installed.
    Missing,
    /// No file that it is for is part of the commit.
    Skipped,
}

impl Outcome {
    pub fn of(steps: &[StepReport]) -> Self {
        let has = |state: State| steps.iter().any(|step| step.state == state);
        if has(State::Failed) {
            Self::Failed
        } else if has(State::Late) {
            Self::Late
        } else if has(State::Passed) {
            Self::Passed
        } else {
            Self::Nothing
        }
    }

    /// Whether the same tree needs no second run.
    pub fn lasts(self) -> bool {
        matches!(self, Self::Passed | Self::Nothing)
    }
}

impl Report {
    /// A run that had to be ended.
    pub(super) fn late() -> Self {
        Self {
            outcome: Outcome::Late,
            steps: Vec::new(),
            reason: String::new(),
            note: String::new(),
        }
    }
}
