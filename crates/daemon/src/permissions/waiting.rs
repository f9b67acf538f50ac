//! One request that waits.

use std::sync::Arc;

use bellwether_flock::normal::agent_id;
use bellwether_protocol::event::{Agent, Event};
use bellwether_spine::permission::{Asked, Told};
use tokio::sync::oneshot;

use super::place::Place;

/// What is asked, by whom and since when.
#[derive(Debug)]
pub(crate) struct Request {
    /// As the hook sent it.
    pub asked: Asked,
    /// The agent's id in the flock.
    pub agent: String,
    /// Since when, milliseconds since 1970.
    pub since_ms: u64,
    pub until_ms: u64,
    pub place: Place,
}

impl Request {
    /// A request that comes now.
    pub(super) fn new(asked: Asked, place: Place, now_ms: u64) -> Self {
        Self {
            agent: agent_of(&asked),
            since_ms: now_ms,
            until_ms: now_ms.saturating_add(asked.wait_ms),
            place,
            asked,
        }
    }
}

/// The id in the flock of the agent that asks.
pub(super) fn agent_of(asked: &Asked) -> String {
    let names = &asked.agent;
    let agent = Agent {
        id: names.id.as_deref().map(Into::into),
        name: names.name.as_deref().map(Into::into),
        team: names.team.as_deref().map(Into::into),
        ..Agent::default()
    };
    agent_id(&Event {
        session: asked.session.as_deref().map(Into::into),
        agent: Some(agent),
        ..Event::default()
    })
}

/// A request with the way back to its hook.
pub(crate) struct Waiting {
    pub request: Arc<Request>,
    /// Whether its own event has been stored: only what comes behind that can settle it.
    pub(super) stored: bool,
    /// Nobody waits for a request that only the terminal can answer.
    pub(super) back: Option<oneshot::Sender<Told>>,
}
