//! One request that waits.

use std::sync::Arc;

use bellwether_flock::normal::agent_id;
use bellwether_protocol::event::{Agent, Event};
use bellwether_spine::permission::{Asked, Told};
use tokio::sync::oneshot;

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
}

impl Request {
    /// A request that comes now.
    pub(super) fn new(asked: Asked, now_ms: u64) -> Self {
        let names = &asked.agent;
        let agent = Agent {
            id: names.id.as_deref().map(Into::into),
            name: names.name.as_deref().map(Into::into),
            team: names.team.as_deref().map(Into::into),
            ..Agent::default()
        };
        let event = Event {
            session: asked.session.as_deref().map(Into::into),
            agent: Some(agent),
            ..Event::default()
        };
        Self {
            agent: agent_id(&event),
            since_ms: now_ms,
            until_ms: now_ms.saturating_add(asked.wait_ms),
            asked,
        }
    }
}

/// A request with the way back to its hook.
pub(crate) struct Waiting {
    pub request: Arc<Request>,
    /// Whether its own event has been stored: only what comes behind that can settle it.
    pub(super) stored: bool,
    pub(super) back: oneshot::Sender<Told>,
}
