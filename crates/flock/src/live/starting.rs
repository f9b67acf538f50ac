//! Which call started which agent.
//!
//! An agent that comes says its type and not who started it. Where several calls wait for one, name, words and type
//! decide, then the order. The end of the call names the agent that it started: what was guessed wrong is then put right.

use serde::{Deserialize, Serialize};

use super::agent::AgentRecord;
use super::flock::Flock;
use crate::Row;
use crate::normal::{Meaning, NewAgent};
use crate::state::Status;

/// The call that started an agent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Origin {
    /// The client's id of the call.
    pub call: String,
    /// Who made it.
    pub caller: String,
    /// What it says of the agent.
    pub agent: NewAgent,
}

/// How well a call fits an agent that comes, the best last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// One of them has no type.
    Perhaps,
    Type,
    Words,
    Name,
    Id,
}

/// An agent comes: the call that started it, which waits for nobody else from here on.
pub(super) fn claim(flock: &mut Flock, row: &Row) -> Option<Origin> {
    let origin = find(flock, row)?;
    let caller = flock.agents.get_mut(&origin.caller)?;
    caller.calls.mark(&origin.call, true);
    Some(origin)
}

fn find(flock: &Flock, row: &Row) -> Option<Origin> {
    let (session, meaning) = (row.session.as_ref()?, &row.meaning);
    let mut callers: Vec<_> = flock
        .agents
        .values()
        .filter(|agent| agent.view.session_id.as_ref() == Some(session))
        .filter(|agent| agent.view.agent_id != meaning.agent)
        .collect();
    callers.sort_by_key(|agent| std::cmp::Reverse(agent.view.last_active_ms));
    let waiting: Vec<Origin> = callers
        .into_iter()
        .flat_map(|caller| {
            let calls = caller.calls.waiting();
            calls.map(|(call, agent)| Origin {
                call: call.to_owned(),
                caller: caller.view.agent_id.clone(),
                agent: agent.clone(),
            })
        })
        .collect();
    let mut best: Option<(Fit, &Origin)> = None;
    for origin in &waiting {
        let Some(fit) = fit(&origin.agent, meaning) else {
            continue;
        };
        if best.is_none_or(|(before, _)| fit > before) {
            best = Some((fit, origin));
        }
    }
    // A single call is the one, whatever its type is called.
    let only = waiting
        .first()
        .filter(|only| waiting.len() == 1 && only.agent.id.is_none());
    best.map(|(_, origin)| origin).or(only).cloned()
}

/// `None` when the call starts another agent.
fn fit(agent: &NewAgent, meaning: &Meaning) -> Option<Fit> {
    if let Some(id) = &agent.id {
        return (*id == meaning.agent).then_some(Fit::Id);
    }
    let is = |one: &Option<String>, other: &Option<String>| one.is_some() && one == other;
    if is(&agent.name, &meaning.agent_name) || is(&agent.name, &meaning.agent_type) {
        return Some(Fit::Name);
    }
    let same_type = match (&agent.kind, &meaning.agent_type) {
        (Some(one), Some(other)) => is_same_type(one, other).then_some(Fit::Type)?,
        _ => Fit::Perhaps,
    };
    let told = is(&agent.prompt, &meaning.label) || is(&agent.about, &meaning.label);
    Some(if told { Fit::Words } else { same_type })
}

/// A type that a plugin brings has the plugin's name before it in one place and not in the other.
fn is_same_type(one: &str, other: &str) -> bool {
    let last = |kind: &str| kind.rsplit(':').next().map(str::to_lowercase);
    last(one) == last(other)
}

/// A call has ended: whoever it started runs on by itself, if it still does.
pub(super) fn release(flock: &mut Flock, row: &Row) {
    let Some(call) = row
        .tool_use
        .as_ref()
        .filter(|_| row.meaning.starts.is_some())
    else {
        return;
    };
    let is_its = |agent: &AgentRecord| agent.origin.as_ref().is_some_and(|it| it.call == *call);
    let started: Vec<(String, Status)> = flock
        .agents
        .iter_mut()
        .filter(|(_, agent)| is_its(agent))
        .map(|(id, agent)| {
            agent.view.in_background = Some(true);
            (id.clone(), agent.life.status)
        })
        .collect();
    for (id, status) in started {
        flock.note(&id, status);
    }
}

/// A call that started an agent has ended and names it. Whoever was taken for that agent was started by the call
/// that this one was thought to come from.
pub(super) fn settle(flock: &mut Flock, row: &Row) {
    let meaning = &row.meaning;
    let (Some(agent), Some(call)) = (&meaning.starts, &row.tool_use) else {
        return;
    };
    let Some(id) = &agent.id else { return };
    let origin = Origin {
        call: call.clone(),
        caller: meaning.agent.clone(),
        agent: agent.clone(),
    };
    let Some(started) = flock.agents.get(id) else {
        // The agent's own beginning comes later.
        if let Some(caller) = flock.agents.get_mut(&meaning.agent) {
            caller.calls.open(call, row.at_ms, Some(agent.clone()));
        }
        return;
    };
    let guessed = started.origin.clone();
    if guessed.as_ref().is_some_and(|before| before.call == *call) {
        return;
    }
    let is_other = |other: &String| {
        let origin = flock
            .agents
            .get(other)
            .and_then(|agent| agent.origin.as_ref());
        other != id && origin.is_some_and(|origin| origin.call == *call)
    };
    let other = flock.agents.keys().find(|other| is_other(other)).cloned();
    give(flock, id, Some(origin));
    match (other, guessed) {
        (Some(other), guessed) => give(flock, &other, guessed),
        (None, Some(guessed)) => {
            if let Some(caller) = flock.agents.get_mut(&guessed.caller) {
                caller.calls.mark(&guessed.call, false);
            }
        }
        (None, None) => {}
    }
}

fn give(flock: &mut Flock, id: &str, origin: Option<Origin>) {
    if let Some(agent) = flock.agents.get_mut(id) {
        agent.set_origin(origin);
        let status = agent.life.status;
        flock.note(id, status);
    }
}
