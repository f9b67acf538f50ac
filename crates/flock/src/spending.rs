//! What was used and done, as it is read out of a store: by hour, project and model.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::live::{ModelUsage, SessionRecord, Usage};
use crate::tally::Work;

/// What was used and done in a window of time.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Spending {
    /// What was used in all.
    pub usage: Usage,
    /// What was done in all.
    pub work: Work,
    /// The same by hour, the oldest first; hours without anything are left out.
    pub hours: Vec<SpendingHour>,
    /// The same by project, the dearest first.
    pub projects: Vec<ProjectSpending>,
    /// What each model has used, the dearest first.
    pub models: Vec<ModelUsage>,
}

/// What was used and done in an hour.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SpendingHour {
    /// When the hour began, milliseconds since 1970.
    pub at_ms: u64,
    /// What was used.
    pub usage: Usage,
    /// What was done.
    pub work: Work,
}

/// What was used and done in a project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectSpending {
    /// The project's short name; empty where none is known.
    pub project: String,
    /// What was used.
    pub usage: Usage,
    /// What was done.
    pub work: Work,
}

/// Which sessions a table shows, and in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionFilter {
    /// Only of this project, by its short name.
    pub project: Option<String>,
    /// Only those whose title, project or id holds this.
    pub text: Option<String>,
    pub state: SessionState,
    /// Only those heard of since this moment, milliseconds since 1970.
    pub since_ms: Option<u64>,
    /// Only those begun before this moment.
    pub until_ms: Option<u64>,
    pub sort: SessionSort,
    /// Smallest or oldest first.
    pub is_rising: bool,
    pub skip: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SessionState {
    #[default]
    All,
    /// An agent of it waits for the person.
    NeedsYou,
    /// It has not ended.
    Running,
    Ended,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SessionSort {
    /// When it was last heard of.
    #[default]
    Last,
    Started,
    Duration,
    Cost,
    Tokens,
    About,
    Project,
}

/// A session as a row of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SessionRow {
    /// What is known of it.
    pub session: SessionRecord,
    /// What it is about: its name, else what was asked first.
    pub about: Option<String>,
    /// How many agents it has or had.
    pub agents: u64,
    /// How many of them wait for the person.
    pub waiting: u64,
}

/// Some sessions as a table.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SessionTable {
    /// The rows in the order that was asked for.
    pub rows: Vec<SessionRow>,
    /// How many sessions fit in all.
    pub count: u64,
    /// Every project that has sessions.
    pub projects: Vec<String>,
}
