//! Which agents are shown, and in what order: those who need the person first, always.

use bellwether_flock::{AgentNode, AgentView, Status, has_all, search_terms};

use super::words;

/// In what order agents are shown behind those who need the person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Order {
    #[default]
    Started,
    Active,
    Name,
    Tools,
}

impl Order {
    /// The one after it, and behind the last the first.
    pub(super) fn next(self) -> Self {
        match self {
            Self::Started => Self::Active,
            Self::Active => Self::Name,
            Self::Name => Self::Tools,
            Self::Tools => Self::Started,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Started => "oldest first",
            Self::Active => "last active first",
            Self::Name => "by name",
            Self::Tools => "most tool calls first",
        }
    }

    fn compare(self, one: &AgentView, other: &AgentView) -> std::cmp::Ordering {
        match self {
            Self::Started => std::cmp::Ordering::Equal,
            Self::Active => other.last_active_ms.cmp(&one.last_active_ms),
            Self::Name => lower(one).cmp(&lower(other)),
            Self::Tools => other.tool_calls.cmp(&one.tool_calls),
        }
    }
}

fn lower(agent: &AgentView) -> String {
    agent.display_name.to_lowercase()
}

/// What the person wants to see.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Choice {
    /// Also those who have finished and gone.
    pub with_gone: bool,
    pub order: Order,
    /// Words that must all be found in an agent's line; none for all.
    pub filter: String,
}

impl Choice {
    /// Whether an agent is looked for.
    pub(super) fn fits(&self, agent: &AgentView) -> bool {
        let terms = search_terms(&self.filter);
        let told = [
            Some(&agent.agent_id),
            Some(&agent.display_name),
            agent.workspace_id.as_ref(),
            agent.agent_type.as_ref(),
            agent.session_id.as_ref(),
            agent.model.as_ref(),
            agent.assignment.as_ref(),
            agent.current_task.as_ref(),
            agent.bubble.as_ref(),
            agent.waits_for.as_ref(),
        ];
        let told = told.into_iter().flatten().map(String::as_str);
        let told: Vec<&str> = told.chain([words::of(agent.status)]).collect();
        terms.is_empty() || has_all(&terms, &told)
    }

    /// Agents side by side, with all below them that is looked for.
    pub(super) fn sorted<'a>(
        &self,
        nodes: impl IntoIterator<Item = &'a AgentNode>,
    ) -> Vec<&'a AgentNode> {
        let mut nodes: Vec<&AgentNode> = nodes
            .into_iter()
            .filter(|node| self.has_fitting(node))
            .collect();
        nodes.sort_by(|one, other| {
            let calm = |node: &AgentNode| !has_needy(node);
            let by_order = || self.order.compare(&one.agent, &other.agent);
            calm(one).cmp(&calm(other)).then_with(by_order)
        });
        nodes
    }

    fn has_fitting(&self, node: &AgentNode) -> bool {
        self.fits(&node.agent) || node.children.iter().any(|child| self.has_fitting(child))
    }
}

/// Whether the person is wanted.
pub(super) fn needs_you(status: Status) -> bool {
    status == Status::PendingInput
}

/// Whether the person is wanted by an agent or somebody below it.
fn has_needy(node: &AgentNode) -> bool {
    needs_you(node.agent.status) || node.children.iter().any(has_needy)
}
