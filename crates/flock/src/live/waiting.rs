//! What an agent waits for: told with its question, kept while the client only repeats that there is one, and gone
//! with the answer. Where several questions are open the newest is shown, then the one before it.

use bellwether_protocol::event::Kind;

use super::agent::AgentRecord;
use super::flock::Flock;
use crate::Row;
use crate::normal::{EventType, Role};
use crate::state::Status;

/// Shows what the agent waits for now.
pub(super) fn show(agent: &mut AgentRecord) {
    let newest = agent.life.waits.last();
    let waits_for = newest.and_then(|wait| wait.about.clone());
    let view = &mut agent.view;
    if waits_for.is_some() || view.bubble == view.waits_for {
        view.bubble.clone_from(&waits_for);
    }
    view.waits_for = waits_for;
    let dialogs = agent.life.waits.iter().rev();
    view.dialogs = dialogs.filter_map(|wait| wait.dialog.clone()).collect();
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
        } else if waits {
            for wait in &mut agent.life.waits {
                wait.confirmed = true;
            }
            reminded.push(id.clone());
        }
    }
    let is_of_others = !reminded.is_empty() && !main_waits;
    flock.stale_agents.extend(reminded);
    is_of_others
}
