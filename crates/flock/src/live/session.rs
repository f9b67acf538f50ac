//! One session: which agents belong to it, as a tree.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::agent::AgentView;
use super::usage::{SessionName, Usage};

/// One session as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SessionRecord {
    /// Its id.
    pub session_id: String,
    /// The session that started it.
    pub parent_session_id: Option<String>,
    /// The project's short name.
    pub workspace_id: Option<String>,
    /// The project's folder.
    pub project_dir: Option<String>,
    /// The terminal.
    pub terminal_session_id: Option<String>,
    /// Whether somebody sits in front of it.
    pub attended: bool,
    /// When it was first heard of, milliseconds since 1970.
    pub started_ms: u64,
    /// When it was last heard of.
    pub last_active_ms: u64,
    /// When it ended.
    pub ended_ms: Option<u64>,
    /// How many events it had.
    pub events: u64,
    /// What was asked of it first.
    pub title: Option<String>,
    /// What it is called.
    #[serde(default)]
    pub name: Option<SessionName>,
    /// The branch that is checked out.
    #[serde(default)]
    pub branch: Option<String>,
    /// The model of its main agent.
    #[serde(default)]
    pub model: Option<String>,
    /// What all of its agents have used.
    #[serde(default)]
    pub usage: Usage,
}

impl SessionRecord {
    /// What it is about: its name, else what was asked first.
    pub fn about(&self) -> Option<&str> {
        let name = self.name.as_ref().map(SessionName::text);
        name.or(self.title.as_deref())
    }

    pub(super) fn brief(&self) -> SessionBrief {
        SessionBrief {
            about: self.about().map(str::to_owned),
            branch: self.branch.clone(),
            usage: self.usage,
        }
    }
}

/// What a session is about, and what it has used.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SessionBrief {
    /// Its name, else what was asked of it first.
    pub about: Option<String>,
    /// The branch that is checked out.
    pub branch: Option<String>,
    /// What all of its agents have used.
    pub usage: Usage,
}

/// One session as it is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SessionView {
    /// What is known of it.
    pub session: SessionRecord,
    /// Its agents: the main one, and below each those that it started.
    pub agents: Vec<AgentNode>,
}

/// An agent and those that it started.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentNode {
    /// The agent.
    pub agent: AgentView,
    /// Those that it started.
    pub children: Vec<AgentNode>,
}

impl AgentNode {
    /// Agents as a tree, oldest first. One whose parent is not among them stands at the top.
    pub fn tree(mut agents: Vec<AgentView>) -> Vec<Self> {
        agents.sort_by(|one, other| {
            let key = |agent: &AgentView| (agent.role, agent.first_seen_ms, agent.agent_id.clone());
            key(one).cmp(&key(other))
        });
        let known: Vec<String> = agents.iter().map(|agent| agent.agent_id.clone()).collect();
        let is_top = |agent: &AgentView| {
            agent
                .parent_id
                .as_ref()
                .is_none_or(|parent| *parent == agent.agent_id || !known.contains(parent))
        };
        let (tops, mut rest): (Vec<_>, Vec<_>) = agents.into_iter().partition(is_top);
        let mut tree: Vec<Self> = tops
            .into_iter()
            .map(|agent| Self::with_children(agent, &mut rest))
            .collect();
        // Agents that name each other as parents would be lost.
        tree.extend(rest.into_iter().map(|agent| Self {
            agent,
            children: Vec::new(),
        }));
        tree
    }

    fn with_children(agent: AgentView, rest: &mut Vec<AgentView>) -> Self {
        let is_child = |child: &AgentView| child.parent_id.as_ref() == Some(&agent.agent_id);
        let (children, others): (Vec<_>, Vec<_>) = rest.drain(..).partition(is_child);
        *rest = others;
        let children = children
            .into_iter()
            .map(|child| Self::with_children(child, rest))
            .collect();
        Self { agent, children }
    }
}
