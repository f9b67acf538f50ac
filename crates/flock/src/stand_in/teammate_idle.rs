//! A teammate whose turn has ended has nothing to do.

use bellwether_protocol::event::{Agent, Event, Kind};

use super::{Place, Told};

pub(super) const KIND: Kind = Kind::TeammateIdle;
pub(super) const PLACE: Place = Place::After;

pub(super) fn tell<'a>(told: &Told<'a>) -> Vec<Event<'a>> {
    let ends = told.is(Kind::SubagentStop) || told.is(Kind::Stop);
    let agent = told.event.agent.clone().filter(|agent| agent.teammate);
    let Some(agent) = agent.filter(|_| ends && told.lacks(KIND)) else {
        return Vec::new();
    };
    vec![Event {
        agent: Some(Agent {
            // The client sends the name as the type.
            name: agent.name.or_else(|| agent.kind.clone()),
            kind: agent.kind,
            id: agent.id,
            team: agent.team,
            ..Agent::default()
        }),
        permission_mode: told.event.permission_mode.clone(),
        ..told.beside(KIND)
    }]
}
