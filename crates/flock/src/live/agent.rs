//! One agent, as it is shown and as it is kept.

use bellwether_creature::appearance::{Appearance, seed};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call::Calls;
use super::usage::Usage;
use crate::normal::{BackgroundTask, Role};
use crate::state::{Life, Status};

/// How an agent belongs to its project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Employment {
    /// It came by itself and goes when its work is done.
    #[default]
    Contractor,
    /// It belongs to the house.
    Permanent,
}

/// One agent as it is shown. Everything in it is masked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentView {
    /// Its id.
    pub agent_id: String,
    /// What it is called.
    pub display_name: String,
    /// What it is to its session.
    pub role: Role,
    /// Its type, as the client calls it.
    pub agent_type: Option<String>,
    /// Its team.
    pub team: Option<String>,
    /// Its session.
    pub session_id: Option<String>,
    /// The agent that started it.
    pub parent_id: Option<String>,
    /// The project's short name.
    pub workspace_id: Option<String>,
    /// How it belongs to the project.
    pub employment_type: Employment,
    /// Where we know it from.
    pub source: String,
    /// The seed of its looks.
    pub avatar_seed: u32,
    /// How it looks.
    pub appearance: Appearance,
    /// What it does.
    pub status: Status,
    /// Since when, milliseconds since 1970.
    pub since_ms: u64,
    /// What it works on.
    pub current_task: Option<String>,
    /// What it would say: its question, its error, its last words.
    pub bubble: Option<String>,
    /// What it thought last.
    pub thinking_text: Option<String>,
    /// Whom it talks to.
    pub peer_agent_id: Option<String>,
    /// The model it uses.
    pub model: Option<String>,
    /// When it was first seen.
    pub first_seen_ms: u64,
    /// When it was last heard of.
    pub last_active_ms: u64,
    /// How many events it had.
    pub events: u64,
    /// How many tools it called.
    pub tool_calls: u64,
    /// How many of them failed.
    pub tool_failures: u64,
    /// How many failed in a row just now.
    pub failures_in_a_row: u32,
    /// How many turns it ended.
    pub turns: u64,
    /// How many background tasks run on behind it.
    pub background_tasks: u64,
    /// What is known of them.
    #[serde(default)]
    pub background: Vec<BackgroundTask>,
    /// What its work has used.
    pub usage: Usage,
}

/// One agent as it is kept: what is shown, and what its next state depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentRecord {
    pub view: AgentView,
    pub life: Life,
    /// When what moved its state happened.
    pub moved_ms: u64,
    /// Tool calls that have not ended.
    #[serde(default)]
    pub(super) calls: Calls,
    #[serde(default)]
    pub client_pid: Option<u32>,
    #[serde(default)]
    pub transcript: Option<String>,
    /// Up to where the transcript was read for what was used.
    #[serde(default)]
    pub read_to: u64,
    /// The last message in it that was counted.
    #[serde(default)]
    pub last_message: Option<String>,
}

impl AgentRecord {
    /// One that is seen for the first time.
    pub(super) fn new(id: &str, role: Role, at_ms: u64) -> Self {
        Self {
            view: AgentView {
                agent_id: id.to_owned(),
                display_name: short(id).to_owned(),
                role,
                agent_type: None,
                team: None,
                session_id: None,
                parent_id: None,
                workspace_id: None,
                employment_type: Employment::Contractor,
                source: "runtime_agent".to_owned(),
                avatar_seed: seed(id),
                appearance: Appearance::of(id),
                status: Status::Offline,
                since_ms: at_ms,
                current_task: None,
                bubble: None,
                thinking_text: None,
                peer_agent_id: None,
                model: None,
                first_seen_ms: at_ms,
                last_active_ms: at_ms,
                events: 0,
                tool_calls: 0,
                tool_failures: 0,
                failures_in_a_row: 0,
                turns: 0,
                background_tasks: 0,
                background: Vec::new(),
                usage: Usage::default(),
            },
            life: Life::offline(),
            moved_ms: 0,
            calls: Calls::default(),
            client_pid: None,
            transcript: None,
            read_to: 0,
            last_message: None,
        }
    }

    /// Puts a state into what is shown.
    pub(super) fn set_life(&mut self, life: Life) {
        self.view.status = life.status;
        self.view.since_ms = life.since_ms;
        self.view.failures_in_a_row = life.failures;
        self.life = life;
    }
}

/// An id without a name is told apart by its beginning.
fn short(id: &str) -> &str {
    let is_uuid = id.len() == 36 && id.bytes().filter(|byte| *byte == b'-').count() == 4;
    if is_uuid { &id[..8] } else { id }
}
