//! What the status file says: where each feature is, how it got there, and who works on what.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::flow::Flow;
use crate::tasks::Task;
use crate::team::{Member, Message};

/// The version of the format, raised when an older program could not read it.
pub(crate) const VERSION: u32 = 1;

/// The whole file. Times are milliseconds since 1970, UTC.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Status {
    pub version: u32,
    /// The name of the flow that its phases belong to.
    pub flow: String,
    pub features: BTreeMap<String, Feature>,
    /// Every step, the oldest first. Nothing is ever taken out but what is archived.
    pub history: Vec<Entry>,
    /// The tasks on the agents' lists.
    #[serde(default)]
    pub tasks: Vec<Task>,
    #[serde(default)]
    pub team: Vec<Member>,
    #[serde(default)]
    pub messages: Vec<Message>,
}

/// One feature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    pub phase: String,
    /// When that phase began.
    pub since_ms: u64,
    /// How often a check has failed and the work was taken up again.
    #[serde(default)]
    pub iterations: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// What keeps it from going on, when its tasks are done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits: Option<Waits>,
    /// When its last phase was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished_ms: Option<u64>,
}

/// A match rate that was measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    pub percent: f64,
    pub at_ms: u64,
    pub from: RateFrom,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RateFrom {
    /// The report of the check states it.
    Report,
    /// Somebody said it.
    Said,
    Import,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waits {
    pub r#for: WaitsFor,
    /// The phase that comes next, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    pub since_ms: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WaitsFor {
    /// The person reviews the end of this phase.
    Checkpoint,
    /// The person says when it goes on.
    Person,
    /// The person decides: there were as many iterations as are allowed.
    Limit,
    /// The match rate is not measured.
    Rate,
    /// What the phase must leave behind is not there.
    Paper,
}

impl WaitsFor {
    /// Whether the next word is the person's.
    pub const fn is_person(self) -> bool {
        matches!(self, Self::Checkpoint | Self::Person | Self::Limit)
    }
}

/// One step in the history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Counted from 1, over all features.
    pub n: u64,
    pub at_ms: u64,
    pub feature: String,
    pub what: What,
    /// The phase after it.
    pub phase: String,
    pub by: By,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The flow did not allow it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub forced: bool,
    /// The step that it takes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<u64>,
    /// How the feature was before; nothing where it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Feature>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_false(flag: &bool) -> bool {
    !flag
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum What {
    Begun,
    Moved,
    /// Its last phase is done.
    Finished,
    /// It cannot go on by itself.
    Waits,
    Measured,
    Undone,
    Imported,
}

/// Who took a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// A task was completed.
    Task,
    Person,
    /// An agent said it by a command.
    Agent,
    Import,
}

impl Status {
    /// A status without features.
    pub fn new(flow: &Flow) -> Self {
        Self {
            version: VERSION,
            flow: flow.name().to_owned(),
            features: BTreeMap::new(),
            history: Vec::new(),
            tasks: Vec::new(),
            team: Vec::new(),
            messages: Vec::new(),
        }
    }
}

impl Feature {
    pub(crate) fn new(phase: &str, now_ms: u64) -> Self {
        Self {
            phase: phase.to_owned(),
            since_ms: now_ms,
            iterations: 0,
            rate: None,
            waits: None,
            finished_ms: None,
        }
    }

    /// The rate that counts in the phase it is in: an older one was of something else.
    pub fn current_rate(&self) -> Option<f64> {
        let rate = self.rate.filter(|rate| rate.at_ms >= self.since_ms);
        rate.map(|rate| rate.percent)
    }
}
