//! The end of the call that started an agent is the end of an agent that its client does not name. The client's own event
//! is there too; it says of nobody that they ended.

use std::borrow::Cow;

use bellwether_protocol::event::{Agent, Event, Kind, ToolKind};

use super::{Place, Told};

pub(super) const KIND: Kind = Kind::SubagentStop;
pub(super) const PLACE: Place = Place::Before;

pub(super) fn tell<'a>(told: &Told<'a>) -> Vec<Event<'a>> {
    let end = told.event.tool.as_ref().and_then(|tool| {
        let ends = told.is(Kind::PostToolUse) && tool.does == ToolKind::AgentStart;
        let call = told.session.call(tool).filter(|_| ends)?;
        let started = tool.started_agent()?;
        Some(Event {
            agent: Some(Agent {
                id: Some(Cow::Borrowed(call.agent.as_deref()?)),
                kind: Some(started.kind),
                ..Agent::default()
            }),
            message: tool.last_words(),
            ..told.beside(KIND)
        })
    });
    end.into_iter().collect()
}
