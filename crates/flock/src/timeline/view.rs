//! A timeline as it is shown. Everything in it is masked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which part of the past to show.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TimelineWindow {
    /// From this moment on, milliseconds since 1970.
    pub since_ms: u64,
    pub until_ms: u64,
    /// Only of this session.
    pub session: Option<String>,
    /// Only of this agent.
    pub agent: Option<String>,
    /// So many spans at most, the newest.
    pub limit: usize,
}

/// What happened when.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Timeline {
    /// From when, milliseconds since 1970.
    pub since_ms: u64,
    /// Until when.
    pub until_ms: u64,
    /// Whether there was more, and older spans were left out.
    pub truncated: bool,
    /// The agents, in the order of their first spans.
    pub lanes: Vec<Lane>,
}

/// What one agent did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lane {
    /// The agent.
    pub agent_id: String,
    /// Its session.
    pub session_id: Option<String>,
    /// What it is called.
    pub display_name: String,
    /// The agent that started it.
    pub parent_id: Option<String>,
    /// What it did, in the order of its beginning.
    pub spans: Vec<Span>,
}

/// Something that took a while.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    /// What it is.
    pub kind: SpanKind,
    /// The tool; else the name of the event by which it began.
    pub name: String,
    /// When it began, milliseconds since 1970.
    pub from_ms: u64,
    /// When it ended; none while it has not.
    pub to_ms: Option<u64>,
    /// Whether it ended in a failure.
    pub failed: bool,
    /// The event by which it began, or ended when the beginning is not known.
    pub seq: i64,
    /// What it was about, in a line.
    pub summary: Option<String>,
}

/// What took a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpanKind {
    /// A turn: from a prompt to the answer, or a subagent's life.
    Turn,
    /// A call of a tool.
    Tool,
    /// Waiting for the person.
    Waiting,
}
