//! How the flock changes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::agent::AgentView;

/// One agent has come, changed or gone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "change", content = "agent", rename_all = "snake_case")]
pub enum Change {
    /// It has come.
    Appeared(Box<AgentView>),
    /// It does something else, or says something else.
    Updated(Box<AgentView>),
    /// It has gone.
    Departed(Box<AgentView>),
}

impl Change {
    /// The name under which a live stream tells it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Appeared(_) => "mascot://agent-appeared",
            Self::Updated(_) => "mascot://agent-update",
            Self::Departed(_) => "mascot://agent-departed",
        }
    }

    /// The agent, as it is now.
    pub fn agent(&self) -> &AgentView {
        match self {
            Self::Appeared(agent) | Self::Updated(agent) | Self::Departed(agent) => agent,
        }
    }
}
