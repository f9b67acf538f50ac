//! One agent, as it is shown and as it is kept.

use bellwether_creature::Pose;
use bellwether_creature::appearance::{Appearance, seed};
use bellwether_protocol::event::ToolKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call::Calls;
use super::pose;
use super::session::SessionBrief;
use super::starting::Origin;
use super::usage::{ModelUsage, Usage};
use crate::normal::{BackgroundTask, Dialog, Role};
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
    /// Whether it runs on by itself, while whoever started it goes on; not said where nobody knows.
    #[serde(default)]
    pub in_background: Option<bool>,
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
    /// What its creature is seen doing.
    #[serde(default)]
    pub pose: Pose,
    /// Since when, milliseconds since 1970.
    pub since_ms: u64,
    /// What it was started for.
    #[serde(default)]
    pub assignment: Option<String>,
    /// What it works on.
    pub current_task: Option<String>,
    /// What it waits for the person to answer: a tool with what it would do, a question.
    #[serde(default)]
    pub waits_for: Option<String>,
    /// The dialogs of the client that stand for it, whole, the newest first.
    #[serde(default)]
    pub dialogs: Vec<Dialog>,
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
    /// How many tool calls of it the guard refused.
    #[serde(default)]
    pub refusals: u64,
    /// The last of them, until the agent does something else.
    #[serde(default)]
    pub refused: Option<Refusal>,
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
    /// The client's process, as far as it is known.
    #[serde(default)]
    pub client_pid: Option<u32>,
    /// The same by model.
    #[serde(default)]
    pub models: Vec<ModelUsage>,
    /// How many tokens its newest request gave the model: so full its context is.
    #[serde(default)]
    pub context_tokens: Option<u64>,
    /// What its session is about; only a main agent has it.
    #[serde(default)]
    pub session: Option<SessionBrief>,
}

/// A tool call that the guard refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refusal {
    /// The rules that were against it.
    pub rules: Vec<String>,
    /// The tool, with what it would have done.
    pub what: Option<String>,
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
    /// The call that started it.
    #[serde(default)]
    pub(super) origin: Option<Origin>,
    /// The name by which the client calls it.
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub client_pid: Option<u32>,
    /// What the tool does that it works with.
    #[serde(default)]
    pub(super) does: Option<ToolKind>,
    #[serde(default)]
    pub transcript: Option<String>,
    /// Up to where the transcript was read for what was used.
    #[serde(default)]
    pub read_to: u64,
    /// The last message in it that was counted.
    #[serde(default)]
    pub last_message: Option<String>,
    /// What was counted of that message.
    #[serde(default)]
    pub last_used: Usage,
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
                in_background: None,
                workspace_id: None,
                employment_type: Employment::Contractor,
                source: "runtime_agent".to_owned(),
                avatar_seed: seed(id),
                appearance: Appearance::of(id),
                status: Status::Offline,
                pose: Pose::default(),
                since_ms: at_ms,
                assignment: None,
                current_task: None,
                waits_for: None,
                dialogs: Vec::new(),
                bubble: None,
                thinking_text: None,
                peer_agent_id: None,
                model: None,
                first_seen_ms: at_ms,
                last_active_ms: at_ms,
                events: 0,
                tool_calls: 0,
                tool_failures: 0,
                refusals: 0,
                refused: None,
                failures_in_a_row: 0,
                turns: 0,
                background_tasks: 0,
                background: Vec::new(),
                usage: Usage::default(),
                client_pid: None,
                models: Vec::new(),
                context_tokens: None,
                session: None,
            },
            life: Life::offline(),
            moved_ms: 0,
            calls: Calls::default(),
            origin: None,
            name: None,
            client_pid: None,
            does: None,
            transcript: None,
            read_to: 0,
            last_message: None,
            last_used: Usage::default(),
        }
    }

    /// Which call started it: what it is for and what it is called come from there.
    pub(super) fn set_origin(&mut self, origin: Option<Origin>) {
        let about = origin
            .as_ref()
            .and_then(|origin| origin.agent.about.clone());
        let before = std::mem::replace(&mut self.view.assignment, about);
        // Until it has begun something, it works on what it was started for.
        let has_begun = self.view.current_task.is_some() && self.view.current_task != before;
        if !has_begun {
            self.view.current_task.clone_from(&self.view.assignment);
        }
        if let Some(origin) = &origin {
            self.view.parent_id = Some(origin.caller.clone());
        }
        // The end of a call names the agent; one that is named is not waited for any more.
        let is_named = |origin: &Origin| origin.agent.id.is_some();
        self.view.in_background = origin.as_ref().map(is_named);
        self.origin = origin;
        self.set_name();
    }

    /// The name that the client tells counts most, then the one it was given, then its type.
    pub(super) fn set_name(&mut self) {
        let given = self
            .origin
            .as_ref()
            .and_then(|origin| origin.agent.name.as_ref());
        let name = self
            .name
            .as_ref()
            .or(given)
            .or(self.view.agent_type.as_ref());
        if let Some(name) = name.filter(|_| self.view.role != Role::Main) {
            self.view.display_name.clone_from(name);
        }
    }

    /// Puts into what is shown what follows from the rest; an older program has not.
    pub(crate) fn complete(&mut self) {
        self.view.pose = pose::of(self.view.status, self.does);
        self.view.client_pid = self.client_pid;
    }

    /// What is shown of one that was kept.
    pub(crate) fn into_view(mut self) -> AgentView {
        self.complete();
        self.view
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
