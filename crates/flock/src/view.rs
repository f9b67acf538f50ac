//! What is read out of a store.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::guard_stop::GuardStop;
use crate::live::Usage;
use crate::normal::{EventType, NormalizedEvent, Severity};
use crate::state::Status;
use crate::tally::ToolStats;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only of sessions whose id begins with this.
    pub session: Option<String>,
    /// Only of this agent.
    pub agent: Option<String>,
    /// Only of this name, as the client calls it.
    pub name: Option<String>,
    /// Only of this type.
    pub kind: Option<EventType>,
    /// Only of this tool.
    pub tool: Option<String>,
    /// Only of this project, by its short name.
    pub workspace: Option<String>,
    /// Only as grave as this or graver.
    pub severity: Option<Severity>,
    /// Only from this moment on, milliseconds since 1970.
    pub since_ms: Option<u64>,
    /// Only before this moment.
    pub until_ms: Option<u64>,
    /// Only those in which all these words stand; the last, from three letters on, may be the beginning of one.
    pub search: Option<String>,
    /// Only later than this place in the order.
    pub after: i64,
    /// Only earlier than this place in the order.
    pub before: Option<i64>,
}

/// An event in a list. Everything in it is masked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventView {
    /// Its place in the order.
    pub seq: i64,
    /// Its id.
    pub id: String,
    /// When it happened, milliseconds since 1970.
    pub at_ms: u64,
    /// The client's name of it.
    pub name: String,
    /// What it is.
    pub event_type: EventType,
    /// How grave it is.
    pub severity: Severity,
    /// Its session.
    pub session_id: Option<String>,
    /// Its agent.
    pub agent_id: Option<String>,
    /// The tool it is about.
    pub tool: Option<String>,
    /// The project's short name.
    pub workspace_id: Option<String>,
    /// What it is about, in a line.
    pub summary: Option<String>,
    /// What the guard said about its tool call.
    #[serde(default)]
    pub stopped: Option<GuardStop>,
}

/// A page of events, the newest first.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Page {
    /// The events.
    pub events: Vec<EventView>,
    /// Give this as `before` to read on; none when there is nothing more.
    pub next: Option<i64>,
}

/// One event whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventDetail {
    /// Its place in the order.
    pub seq: i64,
    /// The event, normalised and masked.
    pub event: NormalizedEvent,
}

/// How many of something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Count {
    /// Of what.
    pub name: String,
    /// How many.
    pub count: u64,
}

/// How many events in an hour.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HourCount {
    /// When the hour began, milliseconds since 1970.
    pub at_ms: u64,
    /// How many events.
    pub events: u64,
    /// How many of them tell of a failure.
    pub failures: u64,
    /// What was used.
    pub usage: Usage,
}

/// How many agents do the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StatusCount {
    /// What they do.
    pub status: Status,
    /// How many.
    pub count: u64,
}

/// Everything at a glance.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Overview {
    /// How many events are stored.
    pub events: u64,
    /// How many sessions were seen.
    pub sessions: u64,
    /// How many agents were seen.
    pub agents: u64,
    /// How many refusals of the guard are stored.
    pub refusals: u64,
    /// When the oldest stored event happened, milliseconds since 1970.
    pub first_ms: Option<u64>,
    /// When the newest did.
    pub last_ms: Option<u64>,
    /// What the agents do, as of the last event or timer.
    pub statuses: Vec<StatusCount>,
    /// How many events of each type.
    pub types: Vec<Count>,
    /// How many events of each name, as the client calls it.
    pub names: Vec<Count>,
    /// How the tools did, the most used first.
    pub tools: Vec<ToolStats>,
    /// How many events in each of the last 48 hours that had any.
    pub hours: Vec<HourCount>,
    /// How large the store is, in bytes.
    pub bytes: u64,
}

/// A refusal of the guard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditRow {
    /// The event's place in the order.
    pub seq: i64,
    /// When it happened, milliseconds since 1970.
    pub at_ms: u64,
    /// The refusal's place in the audit chain.
    pub chain_seq: u64,
    /// The chain's hash there.
    pub chain_hash: String,
    /// The session.
    pub session_id: Option<String>,
    /// The agent.
    pub agent_id: Option<String>,
    /// The tool that was refused.
    pub tool: Option<String>,
    /// What was refused, in a line.
    pub summary: Option<String>,
    /// What the client was told.
    pub reason: Option<String>,
    /// What became of it, and by which rules; older records do not say.
    #[serde(default)]
    pub stopped: Option<GuardStop>,
}
