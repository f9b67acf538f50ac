//! Agents and sessions in pages, and by their words. Both are read along the index on when they were last
//! heard of.

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::agents::{all, with_agents};
use crate::normal::Role;
use crate::{
    AgentFilter, AgentRecord, AgentView, People, PersonPlace, Presence, SessionRecord, SessionView,
    has_all, search_terms,
};

/// No more of them are looked through for words.
const LOOKED_AT: i64 = 20_000;

pub(super) fn agents(
    connection: &Connection,
    filter: &AgentFilter,
    limit: usize,
) -> rusqlite::Result<People<AgentView>> {
    let mut sql = "SELECT body FROM agent WHERE 1".to_owned();
    let mut values: Vec<Value> = Vec::new();
    if filter.presence == Presence::Present {
        sql.push_str(" AND status <> 'offline'");
    }
    if let Some(session) = &filter.session {
        sql.push_str(" AND session = ?");
        values.push(session.clone().into());
    }
    let agents: Vec<AgentRecord> = behind(connection, sql, values, filter.after.as_ref(), limit)?;
    let agents = agents.into_iter().map(AgentRecord::into_view).collect();
    Ok(page(agents, limit, |agent: &AgentView| PersonPlace {
        last_ms: agent.last_active_ms,
        id: agent.agent_id.clone(),
    }))
}

pub(super) fn sessions(
    connection: &Connection,
    after: Option<&PersonPlace>,
    limit: usize,
) -> rusqlite::Result<People<SessionView>> {
    let sql = "SELECT body FROM session WHERE 1".to_owned();
    let sessions: Vec<SessionRecord> = behind(connection, sql, Vec::new(), after, limit)?;
    let People { some, next } = page(sessions, limit, |session: &SessionRecord| PersonPlace {
        last_ms: session.last_active_ms,
        id: session.session_id.clone(),
    });
    let some = some
        .into_iter()
        .map(|session| with_agents(connection, session));
    Ok(People {
        some: some.collect::<rusqlite::Result<_>>()?,
        next,
    })
}

/// One more than is wanted, so that it is known whether there are more.
fn behind<T: serde::de::DeserializeOwned>(
    connection: &Connection,
    mut sql: String,
    mut values: Vec<Value>,
    after: Option<&PersonPlace>,
    limit: usize,
) -> rusqlite::Result<Vec<T>> {
    if let Some(place) = after {
        sql.push_str(" AND (last_ms, id) < (?, ?)");
        values.push(place.last_ms.cast_signed().into());
        values.push(place.id.clone().into());
    }
    sql.push_str(" ORDER BY last_ms DESC, id DESC LIMIT ?");
    let wanted = i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1);
    values.push(wanted.into());
    all(connection, &sql, params_from_iter(values))
}

fn page<T>(mut some: Vec<T>, limit: usize, place: impl Fn(&T) -> PersonPlace) -> People<T> {
    let more = some.len() > limit;
    some.truncate(limit);
    let next = some.last().filter(|_| more).map(place);
    People { some, next }
}

/// The transcript of a session's main agent. It is kept with the agent when an event names it.
pub(super) fn transcript(
    connection: &Connection,
    session: &str,
) -> rusqlite::Result<Option<String>> {
    let agents: Vec<AgentRecord> = all(
        connection,
        "SELECT body FROM agent WHERE session = ?1 ORDER BY first_ms, id LIMIT 1000",
        [session],
    )?;
    let main = agents
        .into_iter()
        .find(|agent| agent.view.role == Role::Main && agent.transcript.is_some());
    Ok(main.and_then(|agent| agent.transcript))
}

pub(super) fn find_agents(
    connection: &Connection,
    search: &str,
    limit: usize,
) -> rusqlite::Result<Vec<AgentView>> {
    let terms = search_terms(search);
    let agents: Vec<AgentRecord> = with_words(connection, "agent", &terms)?;
    let fits = |agent: &AgentView| {
        let texts = [
            Some(&agent.agent_id),
            Some(&agent.display_name),
            agent.agent_type.as_ref(),
            agent.team.as_ref(),
            agent.session_id.as_ref(),
            agent.workspace_id.as_ref(),
            agent.current_task.as_ref(),
            agent.bubble.as_ref(),
            agent.model.as_ref(),
        ];
        has_all(&terms, &given(&texts))
    };
    let views = agents.into_iter().map(AgentRecord::into_view);
    Ok(views.filter(fits).take(limit).collect())
}

pub(super) fn find_sessions(
    connection: &Connection,
    search: &str,
    limit: usize,
) -> rusqlite::Result<Vec<SessionRecord>> {
    let terms = search_terms(search);
    let sessions: Vec<SessionRecord> = with_words(connection, "session", &terms)?;
    let fits = |session: &SessionRecord| {
        let texts = [
            Some(&session.session_id),
            session.title.as_ref(),
            session.branch.as_ref(),
            session.workspace_id.as_ref(),
            session.project_dir.as_ref(),
        ];
        let mut texts = given(&texts);
        texts.extend(session.about());
        has_all(&terms, &texts)
    };
    Ok(sessions.into_iter().filter(fits).take(limit).collect())
}

fn given<'a>(texts: &[Option<&'a String>]) -> Vec<&'a str> {
    texts.iter().flatten().map(|text| text.as_str()).collect()
}

/// Those in whose text the words stand anywhere, the newest first: few of them are worth reading. The
/// database knows small and large letters of ASCII only, so words of other scripts that have them are
/// left to whoever reads.
fn with_words<T: serde::de::DeserializeOwned>(
    connection: &Connection,
    table: &str,
    terms: &[String],
) -> rusqlite::Result<Vec<T>> {
    if terms.is_empty() {
        return Ok(Vec::new());
    }
    let plain = terms
        .iter()
        .filter(|term| term.is_ascii() || term.to_uppercase() == **term);
    let values: Vec<Value> = plain.map(|term| format!("%{term}%").into()).collect();
    let likes = " AND body LIKE ?".repeat(values.len());
    let sql = format!(
        "SELECT body FROM (SELECT body, last_ms FROM {table} ORDER BY last_ms DESC LIMIT {LOOKED_AT})
         WHERE 1{likes} ORDER BY last_ms DESC"
    );
    all(connection, &sql, params_from_iter(values))
}
