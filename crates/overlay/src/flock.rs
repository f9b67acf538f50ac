//! The agents as the daemon tells of them, and which of them are shown in which order.

use std::collections::{BTreeMap, BTreeSet};

use bellwether_creature::{Appearance, Pose};
use serde::Deserialize;

/// As much of an agent as is shown. The daemon sends more, and newer ones may send more still.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Agent {
    pub agent_id: String,
    #[serde(default)]
    pub display_name: String,
    pub session_id: Option<String>,
    pub parent_id: Option<String>,
    pub workspace_id: Option<String>,
    pub appearance: Appearance,
    /// What it does, in a word.
    #[serde(default)]
    pub status: String,
    /// How it is drawn.
    #[serde(default)]
    pub pose: String,
    pub current_task: Option<String>,
    pub waits_for: Option<String>,
    #[serde(default)]
    pub dialogs: Vec<Dialog>,
    pub bubble: Option<String>,
    #[serde(default)]
    pub refused: Option<Refusal>,
    #[serde(default)]
    pub first_seen_ms: u64,
    #[serde(default)]
    pub last_active_ms: u64,
    #[serde(default)]
    pub client_pid: Option<u32>,
}

/// What the agent's own dialog in the terminal asks.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Dialog {
    pub tool: Option<String>,
    pub what: Option<String>,
    #[serde(default)]
    pub questions: Vec<Question>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Question {
    pub question: String,
    #[serde(default)]
    pub choices: Vec<Choice>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Choice {
    pub label: String,
}

/// What the guard has just refused it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Refusal {
    pub what: Option<String>,
}

/// A permission request that can be answered from here.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Permission {
    pub id: String,
    pub agent_id: Option<String>,
    pub tool: String,
    pub command: Option<String>,
    #[serde(default)]
    pub only_in_terminal: bool,
}

impl Agent {
    pub fn pose(&self) -> Pose {
        Pose::from_name(&self.pose).unwrap_or_default()
    }

    /// Whether it waits for the person.
    pub fn needs_you(&self) -> bool {
        self.status == "pending_input"
    }

    /// Whether it is on its way out, or has gone.
    pub fn leaves(&self) -> bool {
        matches!(self.status.as_str(), "offline" | "disappearing")
    }

    /// Whose project it is in; agents of none are together.
    pub fn project(&self) -> &str {
        self.workspace_id.as_deref().unwrap_or_default()
    }
}

/// Nothing has been heard of it for so long: it is not shown any more, in milliseconds.
const FORGOTTEN_MS: u64 = 60 * 60 * 1000;

#[derive(Debug, Default)]
pub struct Flock {
    agents: BTreeMap<String, Agent>,
    permissions: Vec<Permission>,
}

/// Who is shown, from the first place on, and how many more there are.
#[derive(Debug, PartialEq, Eq)]
pub struct Shown<'a> {
    pub agents: Vec<&'a str>,
    pub more: usize,
}

impl Flock {
    pub fn replace(&mut self, agents: Vec<Agent>, permissions: Vec<Permission>) {
        let with_id = |agent: Agent| (agent.agent_id.clone(), agent);
        self.agents = agents
            .into_iter()
            .filter(|agent| !agent.leaves())
            .map(with_id)
            .collect();
        self.permissions = permissions;
    }

    /// An agent as it is now; gives what it was.
    pub fn update(&mut self, agent: Agent) -> Option<Agent> {
        self.agents.insert(agent.agent_id.clone(), agent)
    }

    pub fn remove(&mut self, id: &str) -> Option<Agent> {
        self.agents.remove(id)
    }

    pub fn asked(&mut self, permission: Permission) {
        self.permissions.retain(|known| known.id != permission.id);
        self.permissions.push(permission);
    }

    pub fn settled(&mut self, id: &str) {
        self.permissions.retain(|permission| permission.id != id);
    }

    pub fn agent(&self, id: &str) -> Option<&Agent> {
        self.agents.get(id)
    }

    pub fn is_empty(&self) -> bool {
        self.agents.is_empty()
    }

    /// The requests of an agent, oldest first.
    pub fn permissions_of<'a>(&'a self, agent: &'a str) -> impl Iterator<Item = &'a Permission> {
        let is_its = move |it: &&Permission| it.agent_id.as_deref() == Some(agent);
        self.permissions.iter().filter(is_its)
    }

    /// How many agents wait for the person.
    pub fn waiting(&self) -> usize {
        self.agents
            .values()
            .filter(|agent| agent.needs_you())
            .count()
    }

    /// The projects that there are agents of.
    pub fn projects(&self) -> BTreeSet<&str> {
        self.agents.values().map(Agent::project).collect()
    }

    /// Who is shown. Whoever waits for the person goes first when there is not room for all, then whoever was active last.
    /// Those that are shown stand in the order in which they came, children beside their parent, so that nobody moves
    /// because another does something.
    pub fn shown<'a>(&'a self, hidden: &BTreeSet<String>, most: usize, now_ms: u64) -> Shown<'a> {
        let is_shown = |agent: &&Agent| {
            let is_heard = agent.last_active_ms.saturating_add(FORGOTTEN_MS) > now_ms;
            !hidden.contains(agent.project()) && (is_heard || agent.needs_you())
        };
        let mut agents: Vec<&Agent> = self.agents.values().filter(is_shown).collect();
        let more = agents.len().saturating_sub(most);
        if more > 0 {
            let rank = |agent: &Agent| (!agent.needs_you(), u64::MAX - agent.last_active_ms);
            agents.sort_by(|a, b| {
                rank(a)
                    .cmp(&rank(b))
                    .then_with(|| a.agent_id.cmp(&b.agent_id))
            });
            agents.truncate(most);
        }
        agents.sort_by_cached_key(|agent| self.line(agent));
        let agents = agents
            .into_iter()
            .map(|agent| agent.agent_id.as_str())
            .collect();
        Shown { agents, more }
    }

    /// Where an agent stands among the others: its ancestors' places and then its own.
    fn line(&self, agent: &Agent) -> Vec<(u64, String)> {
        /// Deeper than this nobody looks; a ring of parents ends here too.
        const DEPTH: usize = 8;
        let parent = |agent: &&Agent| self.agents.get(agent.parent_id.as_deref()?);
        let line = std::iter::successors(Some(agent), parent).take(DEPTH);
        let mut line: Vec<_> = line
            .map(|agent| (agent.first_seen_ms, agent.agent_id.clone()))
            .collect();
        line.reverse();
        line
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// An agent with an id, a parent and what it does.
    pub fn agent(id: &str, parent: Option<&str>, status: &str, at_ms: u64) -> Agent {
        Agent {
            agent_id: id.into(),
            display_name: id.into(),
            session_id: Some("s".into()),
            parent_id: parent.map(Into::into),
            workspace_id: Some("shop".into()),
            appearance: Appearance::of(id),
            status: status.into(),
            pose: "working".into(),
            current_task: None,
            waits_for: None,
            dialogs: Vec::new(),
            bubble: None,
            refused: None,
            first_seen_ms: at_ms,
            last_active_ms: at_ms,
            client_pid: None,
        }
    }

    fn flock(agents: &[(&str, Option<&str>, &str, u64)]) -> Flock {
        let mut flock = Flock::default();
        let agents = agents
            .iter()
            .map(|(id, parent, status, at)| agent(id, *parent, status, *at));
        flock.replace(agents.collect(), Vec::new());
        flock
    }

    #[test]
    fn children_stand_beside_their_parent_in_the_order_in_which_they_came() {
        let flock = flock(&[
            ("b", None, "working", 2),
            ("a", None, "working", 1),
            ("a2", Some("a"), "working", 9),
            ("a1", Some("a"), "working", 8),
            ("gone", None, "offline", 1),
        ]);
        let shown = flock.shown(&BTreeSet::new(), 10, 10);
        assert_eq!(shown.agents, ["a", "a1", "a2", "b"]);
        assert_eq!(shown.more, 0);
    }

    #[test]
    fn when_there_is_not_room_for_all_those_who_wait_and_the_latest_are_shown() {
        let flock = flock(&[
            ("a", None, "pending_input", 1),
            ("b", None, "working", 2),
            ("c", None, "working", 3),
            ("d", None, "working", 4),
        ]);
        let shown = flock.shown(&BTreeSet::new(), 3, 10);
        assert_eq!((shown.agents, shown.more), (vec!["a", "c", "d"], 1));
    }

    #[test]
    fn hidden_projects_and_those_that_were_silent_for_long_are_not_shown() {
        let flock = flock(&[("a", None, "working", 1), ("b", None, "pending_input", 1)]);
        let late = FORGOTTEN_MS + 5;
        assert_eq!(flock.shown(&BTreeSet::new(), 3, late).agents, ["b"]);
        assert!(
            flock
                .shown(&BTreeSet::from(["shop".to_owned()]), 3, 1)
                .agents
                .is_empty()
        );
    }

    #[test]
    fn a_ring_of_parents_ends() {
        let flock = flock(&[
            ("a", Some("b"), "working", 1),
            ("b", Some("a"), "working", 2),
        ]);
        assert_eq!(flock.shown(&BTreeSet::new(), 3, 10).agents.len(), 2);
    }
}
