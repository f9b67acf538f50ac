//! What was used, told of everybody whom it concerns: the session, and its main agent, which stands for it.

use super::flock::Flock;
use super::session::SessionRecord;
use super::usage::{Measured, ModelUsage, Spent};
use crate::normal::Role;

/// So many models of an agent are told apart; an agent changes its model now and then.
const MODELS: usize = 16;

/// Adds what a model has used to what it used before.
pub(super) fn add(models: &mut Vec<ModelUsage>, spent: &Spent) {
    let known = models.iter().position(|one| one.model == spent.model);
    let place = known.unwrap_or_else(|| {
        if models.len() < MODELS {
            models.push(ModelUsage {
                model: spent.model.clone(),
                ..ModelUsage::default()
            });
        }
        models.len() - 1
    });
    models[place].usage.add(&spent.usage);
}

/// The model that was used last. The client's events may say more of the same model than its transcript: it stays.
pub(super) fn set_model(known: &mut Option<String>, measured: &Measured) {
    if let Some(newest) = &measured.model
        && !known
            .as_ref()
            .is_some_and(|known| known.starts_with(newest.as_str()))
    {
        *known = Some(newest.clone());
    }
}

/// What was read of an agent's transcript, as its session shows it.
pub(super) fn of_session(flock: &mut Flock, measured: &Measured) {
    let agent = flock.agents.get(&measured.agent_id);
    let Some((id, role)) = agent.and_then(|agent| {
        let id = agent.view.session_id.clone()?;
        Some((id, agent.view.role))
    }) else {
        return;
    };
    let Some(session) = flock.sessions.get_mut(&id) else {
        return;
    };
    let before = session.brief();
    session.usage.add(&measured.usage());
    if role == Role::Main {
        if measured.branch.is_some() {
            session.branch.clone_from(&measured.branch);
        }
        set_model(&mut session.model, measured);
        if let Some(name) = &measured.name
            && name.replaces(session.name.as_ref())
        {
            session.name = Some(name.clone());
        }
    }
    if session.brief() != before {
        flock.stale_sessions.insert(id.clone());
        show(flock, &id);
    }
}

/// Has the main agent of a session show what is known of the session.
pub(super) fn show(flock: &mut Flock, session: &str) {
    let Some(brief) = flock.sessions.get(session).map(SessionRecord::brief) else {
        return;
    };
    // The main agent has the id of its session.
    let Some(main) = flock.agents.get_mut(session) else {
        return;
    };
    if main.view.role == Role::Main && main.view.session.as_ref() != Some(&brief) {
        main.view.session = Some(brief);
        let status = main.life.status;
        flock.note(session, status);
    }
}
