//! The subagents of a session: their own transcripts, which call started each, and what they used.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use bellwether_prices::{Cost, Prices, Tokens};
use bellwether_protocol::fields::Fields;

use super::survey::{Key, ModelSum, Survey};
use crate::{Projects, TranscriptError, Whose, shown};

/// So many agents of a session are shown.
const MOST: usize = 2_000;
/// What an agent's description is read of.
const LONGEST_META: u64 = 64 * 1024;

/// A subagent with a transcript of its own.
#[derive(Debug, Default)]
pub(crate) struct AgentFile {
    pub id: String,
    pub path: PathBuf,
    pub kind: String,
    pub about: String,
    pub first_ms: Option<u64>,
    pub last_ms: Option<u64>,
    pub calls: usize,
    pub failures: usize,
    pub unreadable: usize,
    pub tokens: Tokens,
    pub cost: Cost,
    pub models: HashMap<String, ModelSum>,
    /// The call that started it.
    call: Option<Key>,
    /// The agent whose call that is; `None` for the main agent's.
    parent: Option<usize>,
}

#[derive(Debug, Default)]
pub(crate) struct Agents(Vec<AgentFile>);

impl Agents {
    /// Finds the agents of a session: those in its folder, and those that answers name.
    pub(super) fn find(path: &Path, shelf: &Projects, main: &Survey) -> Self {
        let folder = path.with_extension("").join("subagents");
        let mut agents: Vec<AgentFile> = shelf
            .names_in(&folder)
            .into_iter()
            .filter_map(|name| of_name(&folder, &name, shelf))
            .take(MOST)
            .collect();
        agents.sort_by(|one, other| one.id.cmp(&other.id));
        // Older clients keep them beside the session's own transcript.
        for (call, id) in &main.started {
            if let Some(known) = agents.iter_mut().find(|known| known.id == *id) {
                known.call = known.call.or(Some(*call));
            } else if let Some(found) = beside(path, id, shelf).filter(|_| agents.len() < MOST) {
                agents.push(AgentFile {
                    call: Some(*call),
                    ..found
                });
            }
        }
        Self(agents)
    }

    /// Reads what each of them used, and whose child it is.
    pub(super) fn survey(
        &mut self,
        within: &Projects,
        prices: &Prices,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), TranscriptError> {
        for number in 0..self.0.len() {
            let path = self.0[number].path.clone();
            let file = within.open(&path)?;
            let survey = Survey::read(&file, Whose::Subagent, prices, progress)
                .map_err(TranscriptError::io(&path))?;
            for (child, agent) in self.0.iter_mut().enumerate() {
                let started = survey.started.iter().find(|(_, id)| *id == agent.id);
                agent.call = agent.call.or(started.map(|(call, _)| *call));
                let is_child = agent
                    .call
                    .is_some_and(|call| survey.calls.contains_key(&call));
                if is_child && child != number {
                    agent.parent = Some(number);
                }
            }
            self.0[number].sum(&survey);
        }
        Ok(())
    }

    pub(crate) fn all(&self) -> &[AgentFile] {
        &self.0
    }

    pub(crate) fn get(&self, number: usize) -> Option<&AgentFile> {
        self.0.get(number)
    }

    /// The agents that a call has started.
    pub(crate) fn started_by(&self, call: Key) -> Vec<usize> {
        let numbered = self.0.iter().enumerate();
        numbered
            .filter_map(|(number, agent)| (agent.call == Some(call)).then_some(number))
            .collect()
    }

    /// The call of the main agent that led to an agent, over those in between.
    pub(crate) fn first_call(&self, number: usize) -> Option<Key> {
        let mut agent = self.0.get(number)?;
        // Two agents cannot have started each other; a foreign file may say so.
        for _ in 0..self.0.len() {
            match agent.parent.and_then(|parent| self.0.get(parent)) {
                Some(parent) => agent = parent,
                None => return agent.call,
            }
        }
        None
    }
}

impl AgentFile {
    fn sum(&mut self, survey: &Survey) {
        (self.first_ms, self.last_ms) = (survey.facts.first_ms, survey.facts.last_ms);
        self.calls = survey.calls.len();
        self.failures = survey.turns.iter().map(|turn| turn.failures).sum();
        self.unreadable = survey.counts.unreadable + survey.counts.too_long;
        for (model, sum) in survey.by_model() {
            self.tokens += sum.tokens;
            self.cost += sum.cost;
            self.models.insert(model.to_owned(), sum);
        }
    }
}

fn of_name(folder: &Path, name: &str, shelf: &Projects) -> Option<AgentFile> {
    let id = name.strip_prefix("agent-")?.strip_suffix(".jsonl")?;
    let path = folder.join(name);
    shelf.open(&path).ok()?;
    let meta = shelf.small(&path.with_extension("meta.json"), LONGEST_META);
    let meta = meta.unwrap_or_default();
    let fields = Fields::parse(&meta).unwrap_or_default();
    let text = |name: &str| fields.get::<std::borrow::Cow<'_, str>>(name);
    Some(AgentFile {
        id: shown::line(id, 80),
        kind: shown::line(&text("agentType").unwrap_or_default(), 80),
        about: shown::line(&text("description").unwrap_or_default(), 200),
        call: text("toolUseId").map(|id| Key::of(&id)),
        path,
        ..AgentFile::default()
    })
}

/// An agent whose transcript stands beside that of its session.
fn beside(path: &Path, id: &str, shelf: &Projects) -> Option<AgentFile> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (!id.is_empty() && id.bytes().all(plain)).then_some(())?;
    of_name(path.parent()?, &format!("agent-{id}.jsonl"), shelf)
}
