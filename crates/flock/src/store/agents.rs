//! Agents and sessions: written when they changed, read whole.

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde::de::DeserializeOwned;

use crate::{AgentNode, AgentRecord, AgentView, SessionRecord, SessionView};

pub(super) fn write(
    connection: &Connection,
    agents: &[AgentRecord],
    sessions: &[SessionRecord],
) -> rusqlite::Result<()> {
    for agent in agents {
        let view = &agent.view;
        connection
            .prepare_cached(
                "INSERT INTO agent (id, session, status, first_ms, last_ms, body)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT (id) DO UPDATE SET session = excluded.session,
                     status = excluded.status, last_ms = excluded.last_ms, body = excluded.body",
            )?
            .execute(params![
                view.agent_id,
                view.session_id,
                view.status.as_str(),
                view.first_seen_ms.cast_signed(),
                view.last_active_ms.cast_signed(),
                to_json(agent)?,
            ])?;
    }
    for session in sessions {
        connection
            .prepare_cached(
                "INSERT INTO session
                     (id, last_ms, body, started_ms, ended, project, about, tokens, usd)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                 ON CONFLICT (id) DO UPDATE SET last_ms = excluded.last_ms, body = excluded.body,
                     started_ms = excluded.started_ms, ended = excluded.ended,
                     project = excluded.project, about = excluded.about,
                     tokens = excluded.tokens, usd = excluded.usd",
            )?
            .execute(params![
                session.session_id,
                session.last_active_ms.cast_signed(),
                to_json(session)?,
                session.started_ms.cast_signed(),
                session.ended_ms.is_some(),
                session.workspace_id.as_deref().unwrap_or_default(),
                session.about().unwrap_or_default(),
                session.usage.tokens().cast_signed(),
                session.usage.cost_usd.unwrap_or_default(),
            ])?;
    }
    Ok(())
}

fn to_json(value: &impl serde::Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(value)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

/// A body that an older program wrote and this one cannot read is as if it were not there.
fn body<T: DeserializeOwned>(row: &Row<'_>) -> rusqlite::Result<Option<T>> {
    let text: String = row.get(0)?;
    Ok(serde_json::from_str(&text).ok())
}

pub(super) fn all<T: DeserializeOwned>(
    connection: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
) -> rusqlite::Result<Vec<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(values, body)?;
    rows.filter_map(Result::transpose).collect()
}

pub(super) fn present(
    connection: &Connection,
) -> rusqlite::Result<(Vec<AgentRecord>, Vec<SessionRecord>)> {
    let agents = all(
        connection,
        "SELECT body FROM agent WHERE status <> 'offline'",
        [],
    )?;
    let sessions = all(
        connection,
        "SELECT body FROM session
         WHERE id IN (SELECT session FROM agent WHERE status <> 'offline')",
        [],
    )?;
    Ok((agents, sessions))
}

pub(super) fn agent(connection: &Connection, id: &str) -> rusqlite::Result<Option<AgentRecord>> {
    let found = connection
        .prepare_cached("SELECT body FROM agent WHERE id = ?1")?
        .query_row([id], body)
        .optional()?;
    Ok(found.flatten())
}

pub(super) fn session(
    connection: &Connection,
    id: &str,
) -> rusqlite::Result<Option<SessionRecord>> {
    let found = connection
        .prepare_cached("SELECT body FROM session WHERE id = ?1")?
        .query_row([id], body)
        .optional()?;
    Ok(found.flatten())
}

pub(super) fn newest(connection: &Connection, limit: i64) -> rusqlite::Result<Vec<AgentView>> {
    let agents: Vec<AgentRecord> = all(
        connection,
        "SELECT body FROM agent ORDER BY last_ms DESC, id LIMIT ?1",
        [limit],
    )?;
    Ok(agents.into_iter().map(AgentRecord::into_view).collect())
}

pub(super) fn sessions(connection: &Connection, limit: i64) -> rusqlite::Result<Vec<SessionView>> {
    let sessions: Vec<SessionRecord> = all(
        connection,
        "SELECT body FROM session ORDER BY last_ms DESC, id LIMIT ?1",
        [limit],
    )?;
    sessions
        .into_iter()
        .map(|session| with_agents(connection, session))
        .collect()
}

pub(super) fn with_agents(
    connection: &Connection,
    session: SessionRecord,
) -> rusqlite::Result<SessionView> {
    let agents: Vec<AgentRecord> = all(
        connection,
        "SELECT body FROM agent WHERE session = ?1 ORDER BY first_ms, id LIMIT 1000",
        [&session.session_id],
    )?;
    let views = agents.into_iter().map(AgentRecord::into_view).collect();
    Ok(SessionView {
        session,
        agents: AgentNode::tree(views),
    })
}
