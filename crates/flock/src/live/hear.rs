//! One event becomes part of the flock.

use bellwether_creature::Appearance;
use bellwether_protocol::event::Kind;
use bellwether_spine::meta::{COMMIT_CHECKED, WORKFLOW};

use super::agent::{AgentRecord, AgentView, Refusal};
use super::flock::Flock;
use super::session::SessionRecord;
use super::usage::Usage;
use super::{background, spend, starting, waiting};
use crate::Row;
use crate::normal::{Ending, EventType, Meaning, Role, Settles, Severity};
use crate::state::{Life, Signal, Status, next};

/// An event that is older than what moved the state came late and moves nothing. More than this and
/// the clock was set.
const LATE_MS: u64 = 60_000;

pub(super) fn hear(flock: &mut Flock, row: &Row, now_ms: u64) {
    let meaning = &row.meaning;
    // What a workflow has come to is no sign of life of any agent.
    if meaning.kind == EventType::SchemaError || row.from.as_deref() == Some(WORKFLOW) {
        flock.tally.count(row, None);
        return;
    }
    hear_session(flock, row);
    let duration = hear_agent(flock, row, now_ms);
    flock.tally.count(row, duration);
    show_session(flock, row);
    if meaning.role == Role::Main && meaning.ending.is_some() {
        end_children(flock, row, now_ms);
    }
}

fn hear_session(flock: &mut Flock, row: &Row) {
    let Some(id) = &row.session else { return };
    if !flock.stale_sessions.contains(id) {
        flock.stale_sessions.insert(id.clone());
    }
    let session = flock
        .sessions
        .entry(id.clone())
        .or_insert_with(|| SessionRecord {
            session_id: id.clone(),
            parent_session_id: None,
            workspace_id: row.workspace.clone(),
            project_dir: row.project.clone(),
            terminal_session_id: row.terminal.clone(),
            attended: row.attended,
            started_ms: row.at_ms,
            last_active_ms: row.at_ms,
            ended_ms: None,
            events: 0,
            title: None,
            name: None,
            branch: None,
            model: None,
            usage: Usage::default(),
        });
    session.events += 1;
    session.last_active_ms = session.last_active_ms.max(row.at_ms);
    let meaning = &row.meaning;
    if meaning.role != Role::Main {
        return;
    }
    session.ended_ms = (meaning.ending == Some(Ending::Left)).then_some(row.at_ms);
    if session.parent_session_id.is_none() {
        session
            .parent_session_id
            .clone_from(&meaning.parent_session);
    }
    if session.title.is_none() && row.moment == Kind::UserPromptSubmit {
        session.title.clone_from(&meaning.label);
    }
    if meaning.model.is_some() {
        session.model.clone_from(&meaning.model);
    }
}

/// Has the main agent show what its session is about, when that may be new.
fn show_session(flock: &mut Flock, row: &Row) {
    let Some(id) = row
        .session
        .as_ref()
        .filter(|_| row.meaning.role == Role::Main)
    else {
        return;
    };
    let main = flock.agents.get(id);
    let is_new = main.is_some_and(|agent| agent.view.session.is_none());
    if is_new || matches!(row.moment, Kind::UserPromptSubmit | Kind::SessionStart) {
        spend::show(flock, id);
    }
}

/// Returns how long a tool took that has ended.
fn hear_agent(flock: &mut Flock, row: &Row, now_ms: u64) -> Option<u64> {
    let meaning = &row.meaning;
    if !flock.agents.contains_key(&meaning.agent) {
        if !shows_somebody(flock, row) {
            return None;
        }
        let agent = introduce(flock, row);
        flock.agents.insert(meaning.agent.clone(), agent);
    }
    let is_of_another = waiting::remind_others(flock, row);
    let agent = flock.agents.get_mut(&meaning.agent)?;
    let before = agent.life.status;
    let waited_since = agent.life.waits_since();
    let shown = shown(agent);
    let duration = note(agent, row);
    if !is_of_another {
        begin_with_an_end(agent, row, now_ms);
        move_on(agent, row, now_ms);
        describe(agent, row);
    }
    tidy(agent);
    if let Some(since_ms) = waited_since.filter(|_| agent.life.waits_since().is_none()) {
        let waited_ms = row.at_ms.saturating_sub(since_ms);
        flock.tally.waited(row, waited_ms);
    }
    if agent.life.status != before || self::shown(agent) != shown {
        flock.note(&meaning.agent, before);
    } else {
        flock.stale_agents.insert(meaning.agent.clone());
    }
    if row.moment == Kind::PostToolUse {
        starting::settle(flock, row);
        starting::release(flock, row);
    }
    background::sort_out(flock, row);
    duration
}

/// What of an agent is told at once when it changes.
fn shown(agent: &AgentRecord) -> impl PartialEq + use<> {
    let view = &agent.view;
    (
        view.current_task.clone(),
        view.bubble.clone(),
        view.dialogs.len(),
        view.role,
        view.refusals,
        view.refused.clone(),
        view.pose,
    )
}

/// Whether an event of somebody unknown shows that there is somebody: not when it leaves, nor when its session is over.
fn shows_somebody(flock: &Flock, row: &Row) -> bool {
    let meaning = &row.meaning;
    let session = row.session.as_ref().and_then(|id| flock.sessions.get(id));
    let is_over = session.is_some_and(|session| session.ended_ms.is_some());
    meaning.kind != EventType::AgentStopped || !(meaning.ending == Some(Ending::Left) || is_over)
}

/// Of whom nothing was heard before its turn or its work ended: it was there.
fn begin_with_an_end(agent: &mut AgentRecord, row: &Row, now_ms: u64) {
    if agent.view.events == 1 && row.meaning.kind == EventType::AgentStopped {
        agent.set_life(Life::at(Status::Appearing, row.at_ms.min(now_ms)));
    }
}

/// A new agent: who started it, and what it is called.
fn introduce(flock: &mut Flock, row: &Row) -> AgentRecord {
    let meaning = &row.meaning;
    let mut agent = AgentRecord::new(&meaning.agent, meaning.role, row.at_ms);
    agent.view.session_id.clone_from(&row.session);
    agent.view.workspace_id.clone_from(&row.workspace);
    if meaning.role == Role::Main {
        agent.view.parent_id.clone_from(&meaning.parent_session);
        if let Some(workspace) = &row.workspace {
            agent.view.display_name.clone_from(workspace);
        }
        return agent;
    }
    agent.view.parent_id = row.session.clone().filter(|main| *main != meaning.agent);
    agent.set_origin(starting::claim(flock, row));
    if let Some(parent) = &agent.view.parent_id {
        agent.view.appearance = parent_looks(flock, parent).inherit(&meaning.agent);
    }
    agent
}

fn parent_looks(flock: &Flock, parent: &str) -> Appearance {
    let known = flock.agents.get(parent);
    known.map_or_else(|| Appearance::of(parent), |agent| agent.view.appearance)
}

/// What is counted and kept of every event.
fn note(agent: &mut AgentRecord, row: &Row) -> Option<u64> {
    let (view, meaning) = (&mut agent.view, &row.meaning);
    view.events += 1;
    view.last_active_ms = view.last_active_ms.max(row.at_ms);
    agent.client_pid = row.client_pid.or(agent.client_pid);
    if row.transcript.is_some() {
        agent.transcript.clone_from(&row.transcript);
    }
    if meaning.role == Role::Teammate {
        view.role = Role::Teammate;
    }
    for (kept, told) in [
        (&mut view.agent_type, &meaning.agent_type),
        (&mut view.team, &meaning.team),
        (&mut view.model, &meaning.model),
        (&mut view.thinking_text, &meaning.thinking),
        (&mut view.session_id, &row.session),
    ] {
        if told.is_some() {
            kept.clone_from(told);
        }
    }
    if meaning.agent_name.is_some() {
        agent.name.clone_from(&meaning.agent_name);
    }
    if meaning.role != Role::Main {
        agent.set_name();
    }
    note_call(agent, row)
}

/// Begins and ends of tool calls.
fn note_call(agent: &mut AgentRecord, row: &Row) -> Option<u64> {
    let meaning = &row.meaning;
    let id = row.tool_use.as_deref();
    match row.moment {
        Kind::PreToolUse => {
            // What was refused does not run.
            if let Some(id) = id.filter(|_| !row.is_refused()) {
                agent.calls.open(id, row.at_ms, meaning.starts.clone());
            }
            None
        }
        // What the gate refused does not run either.
        Kind::Other if row.name == COMMIT_CHECKED && meaning.severity >= Severity::Warn => {
            id.and_then(|id| agent.calls.close(id, row.at_ms));
            None
        }
        Kind::PostToolUse | Kind::PostToolUseFailure => {
            agent.view.tool_calls += 1;
            agent.view.tool_failures += u64::from(meaning.kind == EventType::ToolFailed);
            let took = id.and_then(|id| agent.calls.close(id, row.at_ms));
            meaning.duration_ms.or(took)
        }
        _ => None,
    }
}

/// Moves the state, unless the event comes late.
fn move_on(agent: &mut AgentRecord, row: &Row, now_ms: u64) {
    let late = agent.moved_ms.saturating_sub(row.at_ms);
    if late > 0 && late < LATE_MS {
        return;
    }
    let at_ms = row.at_ms.min(now_ms);
    let signal = Signal::of(&row.meaning, row.tool.as_deref());
    let signal = Signal {
        role: agent.view.role,
        settles: settles(row),
        ..signal
    };
    let mut life = next(&agent.life, &signal, at_ms);
    life.has_task = agent.view.current_task.is_some();
    if life.status != agent.life.status || life.behind != agent.life.behind {
        agent.moved_ms = row.at_ms;
    } else if life.status == Status::Working && late == 0 {
        // Who is heard of works on: its quiet begins anew.
        life.since_ms = life.since_ms.max(at_ms);
    }
    agent.set_life(life);
}

/// A client that does not tell when a batch of calls has ended tells by the next call that the agent went on: of a
/// refusal in its dialog nothing else is heard.
fn settles(row: &Row) -> Settles {
    let tells_ends = row.client.entry(Kind::PostToolBatch).is_some();
    if row.moment == Kind::PreToolUse && !tells_ends {
        return Settles::All;
    }
    row.meaning.settles
}

/// What the agent works on and would say.
fn describe(agent: &mut AgentRecord, row: &Row) {
    use EventType as T;
    let (view, meaning) = (&mut agent.view, &row.meaning);
    if row.is_refused() {
        view.refusals += 1;
        view.refused = Some(Refusal {
            rules: row.stopped.iter().flat_map(|it| it.rules.clone()).collect(),
            what: meaning.label.clone(),
        });
        return;
    }
    if moves_on_from_refusal(meaning) {
        view.refused = None;
    }
    if was_refused(row, view) {
        view.current_task = None;
        agent.does = None;
        return;
    }
    match meaning.kind {
        T::ToolStarted | T::MessageSent | T::AgentUnblocked => {
            view.current_task.clone_from(&meaning.label);
            view.bubble = None;
            agent.does = meaning.tool;
        }
        T::TaskStarted => {
            let subject = meaning.task.as_ref().and_then(|task| task.subject.clone());
            view.current_task = subject.or_else(|| meaning.label.clone());
            agent.does = None;
        }
        T::ToolFailed | T::TaskFailed => view.bubble.clone_from(&meaning.error),
        T::AgentStopped => {
            background::set(view, meaning.background.clone());
            view.turns += u64::from(meaning.ending == Some(Ending::Turn));
            if meaning.label.is_some() {
                view.bubble.clone_from(&meaning.label);
            }
        }
        _ => {}
    }
    view.peer_agent_id = match meaning.kind {
        T::MessageSent => meaning.target.clone(),
        _ if matches!(
            view.status,
            Status::Walking | Status::Chatting | Status::Returning
        ) =>
        {
            view.peer_agent_id.take()
        }
        _ => None,
    };
}

/// Whether an event shows that a call which was asked about does not run: the client refused it, or the person did, of
/// which only the end of its batch tells.
fn was_refused(row: &Row, view: &AgentView) -> bool {
    let unanswered = row.moment == Kind::PostToolBatch && !view.dialogs.is_empty();
    row.moment == Kind::PermissionDenied || unanswered
}

/// Whether the agent does something else than what was refused.
fn moves_on_from_refusal(meaning: &Meaning) -> bool {
    use EventType as T;
    let is_about_the_refused = meaning.kind == T::AgentUnblocked && meaning.tool.is_some();
    matches!(
        meaning.kind,
        T::ToolStarted | T::TaskStarted | T::MessageSent | T::AgentUnblocked | T::AgentBlocked
    ) && !is_about_the_refused
}

/// Who does nothing works on nothing.
pub(super) fn tidy(agent: &mut AgentRecord) {
    use Status::{Completed, Disappearing, Idle, Offline, Resting};
    if matches!(
        agent.life.status,
        Completed | Disappearing | Idle | Offline | Resting
    ) {
        agent.view.current_task = None;
        agent.life.has_task = false;
        agent.does = None;
        agent.calls.clear();
    }
    waiting::show(agent);
    if !matches!(
        agent.life.status,
        Status::Walking | Status::Chatting | Status::Returning
    ) {
        agent.view.peer_agent_id = None;
    }
    agent.complete();
}

/// With the session its agents go. With the turn those end that ran in it, when nothing goes on in
/// the background.
fn end_children(flock: &mut Flock, row: &Row, now_ms: u64) {
    let Some(session) = &row.session else { return };
    let Some(ending) = row.meaning.ending else {
        return;
    };
    let to = match ending {
        Ending::Left => Status::Disappearing,
        Ending::Turn | Ending::Interrupted
            if row.meaning.kind == EventType::AgentStopped && row.meaning.background.is_empty() =>
        {
            Status::Completed
        }
        _ => return,
    };
    let is_left = |agent: &AgentRecord| {
        let view = &agent.view;
        let stays = ending != Ending::Left
            && (view.role != Role::Subagent || agent.life.lasting() == Status::Completed);
        // What was interrupted is the turn, and not what runs on behind it.
        let runs_on = ending == Ending::Interrupted && view.in_background == Some(true);
        view.session_id.as_ref() == Some(session)
            && view.role != Role::Main
            && !(stays || runs_on)
            && !matches!(view.status, Status::Offline | Status::Disappearing)
    };
    let left: Vec<String> = flock
        .agents
        .iter()
        .filter(|(_, agent)| is_left(agent))
        .map(|(id, _)| id.clone())
        .collect();
    for id in left {
        if let Some(agent) = flock.agents.get_mut(&id) {
            let before = agent.life.status;
            agent.set_life(Life::at(to, row.at_ms.min(now_ms)));
            tidy(agent);
            flock.note(&id, before);
        }
    }
}
