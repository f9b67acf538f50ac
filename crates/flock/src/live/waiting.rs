//! What an agent waits for: told with its question, kept while the client only repeats that there is one, and gone
//! with the answer.

use bellwether_protocol::event::Kind;

use super::agent::AgentView;
use super::flock::Flock;
use crate::Row;
use crate::normal::{EventType, Meaning, Role};
use crate::state::Status;

/// The agent asks. The client's reminder, some seconds later, does not say what.
pub(super) fn ask(view: &mut AgentView, meaning: &Meaning) {
    let is_reminder = meaning.confirmed && view.waits_for.is_some();
    if !is_reminder {
        view.waits_for.clone_from(&meaning.label);
        view.bubble.clone_from(&meaning.label);
    }
}

/// The agent waits no more.
pub(super) fn answered(view: &mut AgentView) {
    let asked = view.waits_for.take();
    if asked.is_some() && view.bubble == asked {
        view.bubble = None;
    }
}

/// The client's reminder names no agent, so it seems to be about the main one. It is about those of the session that wait;
/// true when the main one is not among them.
pub(super) fn remind_others(flock: &mut Flock, row: &Row) -> bool {
    let meaning = &row.meaning;
    let is_reminder = row.moment == Kind::Notification
        && meaning.kind == EventType::AgentBlocked
        && meaning.role == Role::Main;
    if !is_reminder {
        return false;
    }
    let mut reminded = Vec::new();
    let mut main_waits = false;
    for (id, agent) in &mut flock.agents {
        let waits =
            agent.view.session_id == row.session && agent.life.lasting() == Status::PendingInput;
        if waits && *id == meaning.agent {
            main_waits = true;
        } else if waits && let Some(wait) = &mut agent.life.wait {
            wait.confirmed = true;
            reminded.push(id.clone());
        }
    }
    let is_of_others = !reminded.is_empty() && !main_waits;
    flock.stale_agents.extend(reminded);
    is_of_others
}
