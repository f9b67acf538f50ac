//! Reading events: as they were recorded, as a page of lines, whole.

use std::path::Path;

use bellwether_spine::journal::Envelope;
use bellwether_spine::text;
use rusqlite::{Connection, OptionalExtension as _, Row, params, params_from_iter};
use uuid::Uuid;

use super::query::Condition;
use super::{facts, found, tallies};
use crate::normal::normalise_or_say;
use crate::{
    AuditRow, EventDetail, EventView, Filter, Overview, Page, Row as Understood, Status,
    StatusCount, Stored,
};

/// As much of a refusal's reason is shown.
const REASON: usize = 400;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Oldest,
    Newest,
}

impl Order {
    fn sql(self) -> &'static str {
        match self {
            Self::Oldest => "ASC",
            Self::Newest => "DESC",
        }
    }
}

/// Events as they were recorded.
pub(super) fn stored(
    connection: &Connection,
    filter: &Filter,
    order: Order,
    limit: i64,
) -> rusqlite::Result<Vec<Stored>> {
    let Condition { sql, mut values } = Condition::of(filter);
    let order = order.sql();
    let sql = format!(
        "SELECT event.seq, record.body FROM event JOIN record USING (seq)
         WHERE {sql} ORDER BY event.seq {order} LIMIT ?"
    );
    values.push(limit.into());
    connection
        .prepare_cached(&sql)?
        .query_map(params_from_iter(values), |row| {
            Ok(Stored {
                seq: row.get(0)?,
                record: row.get(1)?,
            })
        })?
        .collect()
}

/// The newest events that fit, as lines.
pub(super) fn page(
    connection: &Connection,
    path: &Path,
    filter: &Filter,
    limit: usize,
) -> rusqlite::Result<Page> {
    let (stored, next) = if let Some(search) = &filter.search {
        found::newest(connection, path, filter, search, limit)?
    } else {
        let wanted = i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1);
        let mut stored = stored(connection, filter, Order::Newest, wanted)?;
        let more = stored.len() > limit;
        stored.truncate(limit);
        let next = stored.last().filter(|_| more).map(|event| event.seq);
        (stored, next)
    };
    Ok(Page {
        events: stored.iter().map(line).collect(),
        next,
    })
}

/// An event as a line, masked.
fn line(stored: &Stored) -> EventView {
    let row = Understood::of_text(&stored.record);
    let shown = |text: &str| text::shown(text, 200);
    EventView {
        seq: stored.seq,
        id: Uuid::from_bytes(row.id).to_string(),
        at_ms: row.at_ms,
        name: shown(&row.name),
        event_type: row.meaning.kind,
        severity: row.meaning.severity,
        session_id: row.session.as_deref().map(shown),
        agent_id: Some(shown(&row.meaning.agent)),
        tool: row.tool.as_deref().map(shown),
        workspace_id: row.workspace.as_deref().map(shown),
        summary: row.meaning.error.or(row.meaning.label),
        stopped: row.stopped,
    }
}

pub(super) fn detail(connection: &Connection, seq: i64) -> rusqlite::Result<Option<EventDetail>> {
    let record: Option<String> = connection
        .prepare_cached("SELECT body FROM record WHERE seq = ?1")?
        .query_row([seq], |row| row.get(0))
        .optional()?;
    Ok(record.map(|record| EventDetail {
        seq,
        event: normalise_or_say(&record).masked(),
    }))
}

pub(super) fn overview(connection: &Connection, has_spending: bool) -> rusqlite::Result<Overview> {
    let number = |sql: &str| -> rusqlite::Result<u64> {
        let number: Option<i64> = connection
            .prepare_cached(sql)?
            .query_row([], |row| row.get(0))?;
        Ok(number.unwrap_or_default().cast_unsigned())
    };
    let moment = |order: &str| -> rusqlite::Result<Option<u64>> {
        let sql = format!("SELECT at_ms FROM event ORDER BY seq {order} LIMIT 1");
        let at: Option<i64> = connection
            .prepare_cached(&sql)?
            .query_row([], |row| row.get(0))
            .optional()?;
        Ok(at.map(i64::cast_unsigned))
    };
    Ok(Overview {
        events: facts::get(connection, facts::EVENTS)?.cast_unsigned(),
        sessions: number("SELECT count(*) FROM session")?,
        agents: number("SELECT count(*) FROM agent")?,
        refusals: number("SELECT count(event) FROM audit")?,
        first_ms: moment("ASC")?,
        last_ms: moment("DESC")?,
        statuses: statuses(connection)?,
        types: tallies::counts(connection, "type", has_spending)?,
        names: tallies::counts(connection, "name", has_spending)?,
        tools: tallies::tools(connection, 0, has_spending)?,
        hours: tallies::hours(connection, has_spending)?,
        bytes: number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")?,
    })
}

fn statuses(connection: &Connection) -> rusqlite::Result<Vec<StatusCount>> {
    let counted: Vec<(String, i64)> = connection
        .prepare_cached("SELECT status, count(*) FROM agent GROUP BY status")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let known = counted.into_iter().filter_map(|(name, count)| {
        Some(StatusCount {
            status: Status::from_name(&name)?,
            count: count.cast_unsigned(),
        })
    });
    Ok(known.collect())
}

pub(super) fn audit(
    connection: &Connection,
    before: Option<i64>,
    limit: i64,
) -> rusqlite::Result<Vec<AuditRow>> {
    connection
        .prepare_cached(
            "SELECT audit.event, audit.seq, audit.hash, record.body
             FROM audit JOIN record ON record.seq = audit.event
             WHERE audit.event < ?1 ORDER BY audit.event DESC LIMIT ?2",
        )?
        .query_map(params![before.unwrap_or(i64::MAX), limit], refusal)?
        .collect()
}

fn refusal(row: &Row<'_>) -> rusqlite::Result<AuditRow> {
    let record: String = row.get(3)?;
    let stored = Stored {
        seq: row.get(0)?,
        record,
    };
    let line = line(&stored);
    Ok(AuditRow {
        seq: line.seq,
        at_ms: line.at_ms,
        chain_seq: row.get::<_, i64>(1)?.cast_unsigned(),
        chain_hash: row.get(2)?,
        session_id: line.session_id,
        agent_id: line.agent_id,
        tool: line.tool,
        summary: line.summary,
        reason: reason(&stored.record),
        stopped: line.stopped,
    })
}

/// What the client was told, wherever in the reply it stands.
fn reason(record: &str) -> Option<String> {
    let envelope = Envelope::parse(record).ok()?;
    let reply: serde_json::Value = serde_json::from_str(envelope.meta.reply?.get()).ok()?;
    let inner = &reply["hookSpecificOutput"];
    let told = [
        &inner["permissionDecisionReason"],
        &reply["reason"],
        &reply["systemMessage"],
    ]
    .into_iter()
    .find_map(serde_json::Value::as_str)?;
    Some(text::shown(told, REASON))
}
