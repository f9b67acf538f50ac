//! The first that is heard of an agent is its beginning. Where a client names no agents, that is the call that starts it.

use bellwether_protocol::event::{Agent, Event, Kind, ToolKind};

use super::{Place, Told};
use crate::normal::{Role, role};

pub(super) const KIND: Kind = Kind::SubagentStart;
pub(super) const PLACE: Place = Place::Before;

pub(super) fn tell<'a>(told: &Told<'a>) -> Vec<Event<'a>> {
    if !told.lacks(KIND) {
        return Vec::new();
    }
    if let Some(started) = of_call(told) {
        return vec![started];
    }
    let is_agent = told.is_new && role(told.event) != Role::Main && !told.is(Kind::SessionEnd);
    let first = is_agent.then(|| with_type(told.beside(KIND), told));
    first.into_iter().collect()
}

/// Some versions do not say the type where an agent ends; the call that started it does.
fn with_type<'a>(mut event: Event<'a>, told: &Told<'a>) -> Event<'a> {
    if let Some(agent) = &mut event.agent
        && agent.kind.is_none()
    {
        agent.kind = told.session.starting_type().map(Into::into);
    }
    event
}

/// The agent of a call that has no id of its own: such clients name no agents either.
fn of_call<'a>(told: &Told<'a>) -> Option<Event<'a>> {
    let tool = told
        .event
        .tool
        .as_ref()
        .filter(|tool| tool.use_id.is_none())?;
    let calls = told.is(Kind::PreToolUse) && tool.does == ToolKind::AgentStart;
    let begins = calls && !told.is_refused;
    let started = tool.started_agent().filter(|_| begins)?;
    let session = told.event.session.as_deref().unwrap_or_default();
    Some(Event {
        agent: Some(Agent {
            id: Some(told.session.made_up(session, told.at_ms).into()),
            kind: Some(started.kind),
            ..Agent::default()
        }),
        message: started.prompt,
        ..told.beside(KIND)
    })
}
