//! What sessions have told that later events are understood by, as long as their client leaves something out.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use bellwether_protocol::client::Client;
use bellwether_protocol::client::feature::Feature;
use bellwether_protocol::event::{Event, Kind, TaskStatus, Tool, ToolKind};
use bellwether_spine::journal::Envelope;
use serde_json::value::RawValue;

use crate::Row;
use crate::normal::Role;

/// So many sessions are known; the one that was quiet for longest is forgotten.
const SESSIONS: usize = 256;
/// So many calls of a session may be open, and so many tasks be on its list.
const OPEN: usize = 64;
const TASKS: usize = 500;
/// As much is kept of what a call is called with.
const INPUT: usize = 64 * 1024;
/// An event of the client that comes this much after its stand-in is the same.
const SAME_MS: u64 = 10_000;

/// The sessions whose client leaves something out.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    sessions: HashMap<String, Session>,
    /// The client of the last event, and whether it leaves something out: nearly all events come from one.
    last: Option<(Client, bool)>,
}

/// What one of them has told.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// The newest client that it is registered with.
    client: Option<Client>,
    last_ms: u64,
    tasks: HashMap<String, KnownTask>,
    open: Vec<OpenCall>,
    /// Calls that were refused: no transcript tells them from those that ran and failed.
    refused: Vec<OpenCall>,
    stood_in: Vec<(Kind, String, u64)>,
    /// Helpers of the client's own, which it tells of like agents.
    helpers: HashSet<String>,
    /// What the compaction that is under way was begun by.
    pub compacting: Option<String>,
    pub cwd: Option<String>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct KnownTask {
    pub subject: Option<String>,
    pub description: Option<String>,
}

/// A call that has begun and not ended.
#[derive(Debug)]
pub(crate) struct OpenCall {
    pub tool: String,
    /// What it is called with, unless that is long.
    pub input: Option<Box<RawValue>>,
    /// The same, for comparing.
    print: u64,
    use_id: Option<String>,
    starts_agent: bool,
    /// The id that we gave to the agent that it starts.
    pub agent: Option<String>,
}

impl Heard {
    pub(crate) fn session(&self, id: &str) -> Option<&Session> {
        self.sessions.get(id)
    }

    /// The same, for telling it more.
    pub(crate) fn known(&mut self, id: &str) -> Option<&mut Session> {
        self.sessions.get_mut(id)
    }

    /// The session of an event, if something may have to stand in for something there.
    pub(crate) fn of(&mut self, row: &Row) -> Option<&mut Session> {
        let id = row.session.as_ref()?;
        let is_board = row.meaning.tool == Some(ToolKind::TaskBoard);
        let wants = !row.came_by_others() && (is_board || self.leaves_out(row.client));
        let is_known = self.sessions.contains_key(id);
        (wants || (is_known && !row.came_by_others())).then_some(())?;
        if !is_known && self.sessions.len() >= SESSIONS {
            self.forget_one();
        }
        let session = self.sessions.entry(id.clone()).or_default();
        session.hear_of(row);
        Some(session)
    }

    fn leaves_out(&mut self, client: Client) -> bool {
        if let Some((_, leaves_out)) = self.last.filter(|(last, _)| *last == client) {
            return leaves_out;
        }
        let leaves_out = client.stand_ins().next().is_some();
        self.last = Some((client, leaves_out));
        leaves_out
    }

    fn forget_one(&mut self) {
        let quiet = self
            .sessions
            .iter()
            .min_by_key(|(_, session)| session.last_ms);
        if let Some(id) = quiet.map(|(id, _)| id.clone()) {
            self.sessions.remove(&id);
        }
    }
}

impl Session {
    fn hear_of(&mut self, row: &Row) {
        self.last_ms = self.last_ms.max(row.at_ms);
        let newest = self
            .client
            .is_none_or(|known| row.client.version > known.version);
        if newest {
            self.client = Some(row.client);
        }
    }

    /// Whether events of that kind do not come by themselves.
    pub(crate) fn lacks(&self, kind: Kind) -> bool {
        self.client
            .is_some_and(|client| client.entry(kind).is_none())
    }

    /// Whether an event is about a helper of the client's own: the first that is heard of it comes while no call that starts
    /// an agent is open. Its end has no type in the versions that have helpers.
    pub(crate) fn is_of_helper(&mut self, row: &Row, is_new: bool) -> bool {
        let tells_helpers = self
            .client
            .is_some_and(|client| !client.has(Feature::OnlyStartedAgents));
        let first = match row.moment {
            Kind::SubagentStart => true,
            Kind::SubagentStop => is_new && row.meaning.agent_type.is_none(),
            _ => false,
        };
        let agent = &row.meaning.agent;
        let is_other = row.meaning.role == Role::Subagent;
        if tells_helpers && first && is_other && self.starting().is_none() {
            self.helpers.insert(agent.clone());
        }
        self.helpers.contains(agent)
    }

    /// The oldest open call that starts an agent.
    fn starting(&self) -> Option<&OpenCall> {
        self.open.iter().find(|call| call.starts_agent)
    }

    /// The type of the agent that is being started.
    pub(crate) fn starting_type(&self) -> Option<String> {
        let call = self.starting()?;
        let tool = Client::default().tool(&call.tool, call.input.as_deref());
        tool.started_agent().map(|agent| agent.kind.into_owned())
    }

    pub(crate) fn task(&self, id: &str) -> Option<&KnownTask> {
        self.tasks.get(id)
    }

    /// The last call that is open of a tool of that name, else the last of any.
    pub(crate) fn asked_about(&self, tool: Option<&str>) -> Option<&OpenCall> {
        let named = self
            .open
            .iter()
            .rfind(|call| Some(call.tool.as_str()) == tool);
        named.or_else(|| self.open.last())
    }

    /// The open call that another event of the same call is about.
    pub(crate) fn call(&self, tool: &Tool<'_>) -> Option<&OpenCall> {
        self.open.iter().find(|call| call.is(tool))
    }

    /// The id of an agent that its client does not name.
    pub(crate) fn made_up(&self, session: &str, at_ms: u64) -> String {
        let place = self.open.len();
        let start: String = session.chars().take(8).collect();
        format!("{start}-task-{at_ms}-{place}")
    }

    /// Keeps what later events are understood by.
    pub(crate) fn note(&mut self, event: &Event<'_>, row: &Row) {
        let tool = event.tool.as_ref();
        match event.kind {
            Kind::PreToolUse => {
                if let Some(tool) = tool {
                    self.open_call(tool, row);
                }
            }
            Kind::PostToolUse | Kind::PostToolUseFailure => {
                if let Some(tool) = tool {
                    self.close_call(tool);
                    self.keep_tasks(tool);
                }
            }
            Kind::Stop | Kind::UserPromptSubmit => {
                self.open.clear();
                self.refused.clear();
            }
            Kind::PreCompact => self.compacting = event.detail.as_deref().map(str::to_owned),
            Kind::PostCompact => self.compacting = None,
            _ => {}
        }
        if event.agent.is_none() && event.cwd.is_some() {
            self.cwd = event.cwd.as_deref().map(str::to_owned);
        }
    }

    fn open_call(&mut self, tool: &Tool<'_>, row: &Row) {
        let unnamed = tool.does == ToolKind::AgentStart && tool.use_id.is_none();
        let session = row.session.as_deref().unwrap_or_default();
        let agent = unnamed.then(|| self.made_up(session, row.at_ms));
        let calls = if row.is_refused() {
            &mut self.refused
        } else {
            &mut self.open
        };
        if calls.len() >= OPEN {
            calls.remove(0);
        }
        calls.push(OpenCall {
            tool: tool.name.clone().into_owned(),
            input: tool
                .input
                .filter(|input| input.get().len() <= INPUT)
                .map(ToOwned::to_owned),
            print: print(tool.input),
            use_id: tool.use_id.as_deref().map(str::to_owned),
            starts_agent: tool.does == ToolKind::AgentStart,
            agent,
        });
    }

    /// Of equal calls the oldest ends first.
    fn close_call(&mut self, tool: &Tool<'_>) {
        if let Some(place) = self.open.iter().position(|call| call.is(tool)) {
            self.open.remove(place);
        }
    }

    pub(crate) fn keep_tasks(&mut self, tool: &Tool<'_>) {
        for step in tool.task_steps() {
            let Some(id) = step.id.filter(|_| step.status == TaskStatus::New) else {
                continue;
            };
            if self.tasks.len() < TASKS {
                let task = KnownTask {
                    subject: step.subject.map(Into::into),
                    description: step.description.map(Into::into),
                };
                self.tasks.insert(id.into_owned(), task);
            }
        }
    }

    /// A stand-in was made.
    pub(crate) fn stood_in(&mut self, made: &Row) {
        let oldest = made.at_ms.saturating_sub(SAME_MS);
        self.stood_in.retain(|(_, _, at_ms)| *at_ms >= oldest);
        self.stood_in.push((made.moment, what(made), made.at_ms));
    }

    /// Whether a stand-in says of a refused call that it failed.
    pub(crate) fn never_ran(&self, row: &Row) -> bool {
        if row.carrier.is_none()
            || row.moment != Kind::PostToolUseFailure
            || self.refused.is_empty()
        {
            return false;
        }
        let envelope = Envelope::parse(&row.record).ok();
        let event = envelope.as_ref().and_then(|envelope| envelope.event().ok());
        let tool = event.and_then(|event| event.tool);
        tool.is_some_and(|tool| self.refused.iter().any(|call| call.is(&tool)))
    }

    /// Whether a stand-in has told what the client's own event tells now.
    pub(crate) fn has_stood_in(&self, row: &Row) -> bool {
        let what = what(row);
        let is_same = |(kind, about, at_ms): &(Kind, String, u64)| {
            let late = row.at_ms.saturating_sub(*at_ms);
            *kind == row.moment && *about == what && late <= SAME_MS
        };
        self.stood_in.iter().any(is_same)
    }
}

impl OpenCall {
    fn is(&self, tool: &Tool<'_>) -> bool {
        if let (Some(one), Some(other)) = (&self.use_id, tool.use_id.as_deref()) {
            return one == other;
        }
        self.tool == tool.name && self.print == print(tool.input)
    }
}

/// What tells the inputs of calls apart that have no ids.
fn print(input: Option<&RawValue>) -> u64 {
    let mut hasher = DefaultHasher::new();
    input.map(RawValue::get).hash(&mut hasher);
    hasher.finish()
}

/// What two events of one kind must have in common to be the same.
fn what(row: &Row) -> String {
    let task = row.meaning.task.as_ref().and_then(|task| task.id.clone());
    task.unwrap_or_else(|| row.meaning.agent.clone())
}
