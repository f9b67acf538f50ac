//! What runs on in the background, and whose it is.
//!
//! At the end of a subagent the client tells what runs on in the whole session. The agent itself is still among that, and
//! most of the rest belongs to others.

use super::agent::AgentView;
use super::flock::Flock;
use crate::Row;
use crate::normal::{BackgroundTask, Ending, EventType, Role};

pub(super) fn set(view: &mut AgentView, tasks: Vec<BackgroundTask>) {
    view.background_tasks = tasks.len() as u64;
    view.background = tasks;
}

/// The work or the turn of one that is not the main agent has ended: of what runs on it keeps its own.
pub(super) fn sort_out(flock: &mut Flock, row: &Row) {
    let meaning = &row.meaning;
    if meaning.role == Role::Main || meaning.kind != EventType::AgentStopped {
        return;
    }
    let theirs = tasks_of_others(flock, row);
    if let Some(agent) = flock.agents.get_mut(&meaning.agent) {
        let mut own = std::mem::take(&mut agent.view.background);
        own.retain(|task| task.id.as_ref().is_none_or(|id| !theirs.contains(id)));
        set(&mut agent.view, own);
    }
    if meaning.ending == Some(Ending::Finished) {
        take_out(flock, row);
    }
}

/// The tasks of the session that are not the agent's: itself, whoever it did not start, and what runs for others.
fn tasks_of_others(flock: &Flock, row: &Row) -> Vec<String> {
    let id = &row.meaning.agent;
    let mut theirs = vec![id.clone()];
    for agent in flock.agents.values() {
        let view = &agent.view;
        if view.session_id != row.session || view.agent_id == *id {
            continue;
        }
        theirs.extend(view.background.iter().filter_map(|task| task.id.clone()));
        if view.parent_id.as_ref() != Some(id) {
            theirs.push(view.agent_id.clone());
        }
    }
    theirs
}

/// Who has finished runs in nobody's background any more.
fn take_out(flock: &mut Flock, row: &Row) {
    let is_it = |task: &BackgroundTask| task.id.as_ref() == Some(&row.meaning.agent);
    let holders = flock.agents.values().filter(|agent| {
        agent.view.session_id == row.session && agent.view.background.iter().any(is_it)
    });
    let holders: Vec<String> = holders.map(|agent| agent.view.agent_id.clone()).collect();
    for id in holders {
        if let Some(agent) = flock.agents.get_mut(&id) {
            let mut tasks = std::mem::take(&mut agent.view.background);
            tasks.retain(|task| !is_it(task));
            set(&mut agent.view, tasks);
            let status = agent.life.status;
            flock.note(&id, status);
        }
    }
}
