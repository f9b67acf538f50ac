//! Sessions as rows of a table. What is sorted by stands in columns of its own.

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use crate::{SessionFilter, SessionRecord, SessionRow, SessionSort, SessionState, SessionTable};

/// No more projects are told.
const PROJECTS: i64 = 500;

pub(super) fn read(
    connection: &Connection,
    filter: &SessionFilter,
    limit: usize,
) -> rusqlite::Result<SessionTable> {
    let (condition, mut values) = condition(filter);
    let count: i64 = connection
        .prepare_cached(&format!("SELECT count(*) FROM session WHERE {condition}"))?
        .query_row(params_from_iter(&values), |row| row.get(0))?;
    let (column, order) = (
        column(filter.sort),
        if filter.is_rising { "ASC" } else { "DESC" },
    );
    let sql = format!(
        "SELECT body,
             (SELECT count(*) FROM agent WHERE agent.session = session.id),
             (SELECT count(*) FROM agent WHERE agent.session = session.id
                  AND agent.status = 'pending_input')
         FROM session WHERE {condition} ORDER BY {column} {order}, id {order} LIMIT ? OFFSET ?"
    );
    values.push(i64::try_from(limit).unwrap_or(i64::MAX).into());
    values.push(filter.skip.cast_signed().into());
    let rows = connection
        .prepare_cached(&sql)?
        .query_map(params_from_iter(&values), |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?
        .filter_map(|row| row.map(session).transpose())
        .collect::<rusqlite::Result<_>>()?;
    Ok(SessionTable {
        rows,
        count: count.cast_unsigned(),
        projects: projects(connection)?,
    })
}

/// A body that this program cannot read is as if it were not there.
fn session((body, agents, waiting): (String, i64, i64)) -> Option<SessionRow> {
    let session: SessionRecord = serde_json::from_str(&body).ok()?;
    Some(SessionRow {
        about: session.about().map(str::to_owned),
        session,
        agents: agents.cast_unsigned(),
        waiting: waiting.cast_unsigned(),
    })
}

fn projects(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    connection
        .prepare_cached(
            "SELECT DISTINCT project FROM session WHERE project <> '' ORDER BY project LIMIT ?1",
        )?
        .query_map([PROJECTS], |row| row.get(0))?
        .collect()
}

fn column(sort: SessionSort) -> &'static str {
    match sort {
        SessionSort::Last => "last_ms",
        SessionSort::Started => "started_ms",
        SessionSort::Duration => "(last_ms - started_ms)",
        SessionSort::Cost => "usd",
        SessionSort::Tokens => "tokens",
        SessionSort::About => "lower(about)",
        SessionSort::Project => "lower(project)",
    }
}

fn condition(filter: &SessionFilter) -> (String, Vec<Value>) {
    let (mut sql, mut values) = ("1".to_owned(), Vec::<Value>::new());
    let mut and = |more: &str, value: Option<Value>| {
        sql.push_str(" AND ");
        sql.push_str(more);
        values.extend(value);
    };
    match filter.state {
        SessionState::All => {}
        SessionState::NeedsYou => and(
            "id IN (SELECT session FROM agent WHERE status = 'pending_input')",
            None,
        ),
        SessionState::Running => and("ended = 0", None),
        SessionState::Ended => and("ended = 1", None),
    }
    if let Some(project) = &filter.project {
        and("project = ?", Some(project.clone().into()));
    }
    for word in filter.text.iter().flat_map(|text| text.split_whitespace()) {
        let found = "instr(lower(about || ' ' || project || ' ' || id), lower(?)) > 0";
        and(found, Some(word.to_owned().into()));
    }
    if let Some(since) = filter.since_ms {
        and("last_ms >= ?", Some(since.cast_signed().into()));
    }
    if let Some(until) = filter.until_ms {
        and("started_ms < ?", Some(until.cast_signed().into()));
    }
    (sql, values)
}
