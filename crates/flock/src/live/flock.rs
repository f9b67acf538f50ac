//! The flock itself.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::agent::{AgentRecord, AgentView};
use super::change::Change;
use super::doubt::Doubt;
use super::hear;
use super::session::{AgentNode, SessionRecord, SessionView};
use super::spend;
use super::usage::Measured;
use crate::Row;
use crate::normal::Role;
use crate::state::{self, Status};
use crate::tally::Tally;

/// An agent that says it works is looked after when it was quiet for this long.
const QUIET_MS: u64 = 15_000;
/// One that rests, for this long: its client may have gone without a word.
const QUIET_AT_REST_MS: u64 = 60_000;
/// So many agents and sessions that have gone are remembered.
const REMEMBERED: usize = 2_000;

/// Every agent, what it does and what it did.
#[derive(Debug, Default)]
pub struct Flock {
    pub(super) agents: HashMap<String, AgentRecord>,
    pub(super) sessions: HashMap<String, SessionRecord>,
    /// Agents that changed since they were last stored.
    pub(super) stale_agents: BTreeSet<String>,
    /// Sessions that changed since they were last stored.
    pub(super) stale_sessions: BTreeSet<String>,
    /// What was seen of each agent before the changes that were not told yet; `None` when it was not
    /// there.
    pub(super) untold: BTreeMap<String, Option<Status>>,
    /// What was counted since it was last stored.
    pub(super) tally: Tally,
}

impl Flock {
    /// The flock as it was stored.
    pub fn load(agents: Vec<AgentRecord>, sessions: Vec<SessionRecord>) -> Self {
        let by_id = |mut record: AgentRecord| {
            record.complete();
            (record.view.agent_id.clone(), record)
        };
        let by_session = |record: SessionRecord| (record.session_id.clone(), record);
        Self {
            agents: agents.into_iter().map(by_id).collect(),
            sessions: sessions.into_iter().map(by_session).collect(),
            ..Self::default()
        }
    }

    /// Whether an agent is known here; one that was forgotten is in the store.
    pub fn knows(&self, agent: &str) -> bool {
        self.agents.contains_key(agent)
    }

    /// Takes in an agent or a session that had been forgotten.
    pub fn recall(&mut self, agent: Option<AgentRecord>, session: Option<SessionRecord>) {
        if let Some(mut agent) = agent {
            agent.complete();
            self.agents.insert(agent.view.agent_id.clone(), agent);
        }
        if let Some(session) = session {
            self.sessions.insert(session.session_id.clone(), session);
        }
    }

    /// Whether a session is known here.
    pub fn knows_session(&self, session: &str) -> bool {
        self.sessions.contains_key(session)
    }

    /// An event happened; what changes by it.
    pub fn apply(&mut self, row: &Row, now_ms: u64) -> Vec<Change> {
        self.hear(row, now_ms);
        self.take_changes()
    }

    /// An event happened; what changes by it is told by [`Self::take_changes`], once for several.
    pub fn hear(&mut self, row: &Row, now_ms: u64) {
        hear::hear(self, row, now_ms);
    }

    /// Time has passed; what changes by it.
    pub fn tick(&mut self, now_ms: u64) -> Vec<Change> {
        let due: Vec<String> = self
            .agents
            .iter()
            .filter(|(_, agent)| {
                state::due(&agent.life, agent.view.role).is_some_and(|due| due <= now_ms)
            })
            .map(|(id, _)| id.clone())
            .collect();
        for id in due {
            self.ring(&id, now_ms);
        }
        self.take_changes()
    }

    fn ring(&mut self, id: &str, now_ms: u64) {
        while let Some(agent) = self.agents.get_mut(id)
            && let Some(life) = state::ring(&agent.life, agent.view.role, now_ms)
        {
            let before = agent.life.status;
            agent.set_life(life);
            hear::tidy(agent);
            self.note(id, before);
        }
    }

    /// Notes that an agent changed, and from which state.
    pub(super) fn note(&mut self, id: &str, before: Status) {
        let before = before.is_present().then_some(before);
        self.untold.entry(id.to_owned()).or_insert(before);
        self.stale_agents.insert(id.to_owned());
    }

    /// When a timer runs out next.
    pub fn next_due(&self) -> Option<u64> {
        self.agents
            .values()
            .filter_map(|agent| state::due(&agent.life, agent.view.role))
            .min()
    }

    /// What has changed since the last time, one change an agent, in the order of their ids.
    pub fn take_changes(&mut self) -> Vec<Change> {
        let untold = std::mem::take(&mut self.untold);
        let told = untold.into_iter().filter_map(|(id, before)| {
            let view = Box::new(self.agents.get(&id)?.view.clone());
            match (before, view.status.is_present()) {
                (None, true) => Some(Change::Appeared(view)),
                (Some(_), false) => Some(Change::Departed(view)),
                (Some(_), true) => Some(Change::Updated(view)),
                (None, false) => None,
            }
        });
        told.collect()
    }

    /// What an agent's work has used, from its transcript. What was not read on from where the last reading ended has been
    /// counted already, in part or whole, and is passed over.
    pub fn add_usage(&mut self, measured: &Measured) {
        let Some(agent) = self.agents.get_mut(&measured.agent_id) else {
            return;
        };
        if agent.read_to != measured.from {
            return;
        }
        agent.read_to = measured.read_to;
        agent.last_used = measured.last_used;
        agent.last_message.clone_from(&measured.last_message);
        let view = &mut agent.view;
        view.usage.add(&measured.usage());
        for spent in &measured.spent {
            spend::add(&mut view.models, spent);
            self.tally.spend(view.workspace_id.as_deref(), spent);
        }
        let context = measured.context_tokens.or(view.context_tokens);
        let has_grown = context != view.context_tokens || !measured.spent.is_empty();
        view.context_tokens = context;
        spend::set_model(&mut view.model, measured);
        let status = agent.life.status;
        if has_grown {
            self.note(&measured.agent_id, status);
        } else {
            self.stale_agents.insert(measured.agent_id.clone());
        }
        spend::of_session(self, measured);
    }

    /// Agents of which something should have been heard.
    pub fn doubts(&self, now_ms: u64) -> Vec<Doubt> {
        use Status::{Failed, Idle, PendingInput, Resting, Thinking, Unknown, Working};
        let quiet = |agent: &AgentRecord| now_ms.saturating_sub(agent.view.last_active_ms);
        // Who is not the main one goes with it.
        let mains = self
            .agents
            .values()
            .filter(|agent| agent.view.role == Role::Main && agent.view.session_id.is_some());
        let doubts = mains.filter_map(|agent| {
            let lasting = agent.life.lasting();
            let at_work = matches!(lasting, Working | Thinking | PendingInput | Unknown);
            let doubted = match lasting {
                Working | Thinking | PendingInput | Unknown => quiet(agent) >= QUIET_MS,
                Idle | Resting | Failed => quiet(agent) >= QUIET_AT_REST_MS,
                _ => false,
            };
            doubted.then(|| Doubt {
                agent_id: agent.view.agent_id.clone(),
                session_id: agent.view.session_id.clone(),
                workspace_id: agent.view.workspace_id.clone(),
                client_pid: agent.client_pid,
                transcript: agent.transcript.clone(),
                last_active_ms: agent.view.last_active_ms,
                at_work,
            })
        });
        doubts.collect()
    }

    /// Every agent that is there, those of one session together.
    pub fn agents(&self) -> Vec<AgentView> {
        let mut agents: Vec<AgentView> = self
            .agents
            .values()
            .filter(|agent| agent.view.status.is_present())
            .map(|agent| agent.view.clone())
            .collect();
        agents.sort_by(|one, other| {
            let key = |agent: &AgentView| {
                (
                    agent.session_id.clone(),
                    agent.role,
                    agent.first_seen_ms,
                    agent.agent_id.clone(),
                )
            };
            key(one).cmp(&key(other))
        });
        agents
    }

    pub fn agent(&self, id: &str) -> Option<&AgentRecord> {
        self.agents.get(id)
    }

    /// Every session that has an agent which is there, with its tree.
    pub fn sessions(&self) -> Vec<SessionView> {
        let mut of: BTreeMap<String, Vec<AgentView>> = BTreeMap::new();
        for agent in self.agents() {
            let session = agent.session_id.clone().unwrap_or_default();
            of.entry(session).or_default().push(agent);
        }
        let mut sessions: Vec<SessionView> = of
            .into_iter()
            .filter_map(|(session, agents)| {
                Some(SessionView {
                    session: self.sessions.get(&session)?.clone(),
                    agents: AgentNode::tree(agents),
                })
            })
            .collect();
        sessions.sort_by_key(|view| view.session.started_ms);
        sessions
    }

    /// What is to be stored: agents and sessions that changed, and what was counted. It counts as
    /// stored from here on.
    pub fn take_stale(&mut self) -> (Vec<AgentRecord>, Vec<SessionRecord>, Tally) {
        let agents = std::mem::take(&mut self.stale_agents)
            .iter()
            .filter_map(|id| self.agents.get(id).cloned())
            .collect();
        let sessions = std::mem::take(&mut self.stale_sessions)
            .iter()
            .filter_map(|id| self.sessions.get(id).cloned())
            .collect();
        self.forget();
        (agents, sessions, std::mem::take(&mut self.tally))
    }

    /// Whether something is to be stored.
    pub fn has_stale(&self) -> bool {
        !self.stale_agents.is_empty() || !self.stale_sessions.is_empty()
    }

    /// Forgets those that have gone, when there are very many: they are in the store.
    fn forget(&mut self) {
        if self.agents.len() > 2 * REMEMBERED {
            self.agents
                .retain(|id, agent| agent.view.status.is_present() || self.untold.contains_key(id));
        }
        if self.sessions.len() > 2 * REMEMBERED {
            let agents = &self.agents;
            let main = |id: &str| agents.get(id).is_some_and(|a| a.view.status.is_present());
            self.sessions
                .retain(|id, session| session.ended_ms.is_none() && main(id));
        }
    }
}
