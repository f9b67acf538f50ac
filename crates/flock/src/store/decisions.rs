//! What was decided about telling events: what was said, and what was not and why. A decision goes with its event.

use rusqlite::{Connection, Row, params};

/// So many are kept of what was said, and so many of what was not: of that there is far more.
const SAID: i64 = 20_000;
const SILENT: i64 = 5_000;
/// A decision is made soon after its event: it is among so many of the last.
const RECENT: i64 = 10_000;

/// What came of one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Its place in the order of decisions.
    pub number: u64,
    /// When the event happened, in milliseconds since 1970.
    pub at_ms: u64,
    /// The event's session; empty when it has none.
    pub session: String,
    /// Whether something was said.
    pub said: bool,
    /// All of it, in the words of whoever decided; masked.
    pub body: String,
}

/// Which decisions are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DecisionFilter {
    /// Only those by which something was said.
    pub said: bool,
    /// Only those behind this number.
    pub after: u64,
}

/// Writes decisions, each with the event that it is about.
pub(super) fn write(connection: &Connection, decisions: &[Decision]) -> rusqlite::Result<()> {
    if decisions.is_empty() {
        return Ok(());
    }
    let mut insert = connection.prepare_cached(
        "INSERT OR REPLACE INTO decision (number, event, at_ms, session, said, body)
         VALUES (?1, (SELECT seq FROM event
                      WHERE session IS nullif(?3, '') AND at_ms = ?2
                        AND seq > (SELECT max(seq) FROM event) - ?6
                      ORDER BY seq DESC LIMIT 1), ?2, ?3, ?4, ?5)",
    )?;
    for decision in decisions {
        insert.execute(params![
            decision.number.cast_signed(),
            decision.at_ms.cast_signed(),
            decision.session,
            decision.said,
            decision.body,
            RECENT,
        ])?;
    }
    Ok(())
}

/// Removes what is more than is kept.
pub(super) fn trim(connection: &Connection) -> rusqlite::Result<()> {
    for (said, most) in [(true, SAID), (false, SILENT)] {
        connection
            .prepare_cached(
                "DELETE FROM decision WHERE said = ?1 AND number <=
                     (SELECT number FROM decision WHERE said = ?1
                      ORDER BY number DESC LIMIT 1 OFFSET ?2)",
            )?
            .execute(params![said, most])?;
    }
    Ok(())
}

/// The newest that fit, oldest first, at most so many.
pub(super) fn read(
    connection: &Connection,
    filter: DecisionFilter,
    limit: i64,
) -> rusqlite::Result<Vec<Decision>> {
    let which = if filter.said { "said = 1 AND" } else { "" };
    let mut found: Vec<Decision> = connection
        .prepare_cached(&format!(
            "SELECT number, at_ms, session, said, body FROM decision
             WHERE {which} number > ?1 ORDER BY number DESC LIMIT ?2"
        ))?
        .query_map(
            params![i64::try_from(filter.after).unwrap_or(i64::MAX), limit],
            decision,
        )?
        .collect::<rusqlite::Result<_>>()?;
    found.reverse();
    Ok(found)
}

fn decision(row: &Row<'_>) -> rusqlite::Result<Decision> {
    Ok(Decision {
        number: row.get::<_, i64>(0)?.cast_unsigned(),
        at_ms: row.get::<_, i64>(1)?.cast_unsigned(),
        session: row.get(2)?,
        said: row.get(3)?,
        body: row.get(4)?,
    })
}
