//! Events that an older program stored: what it did not know of them is made afterwards.

use rusqlite::{Connection, params};

use super::events::{Order, stored};
use super::facts;
use super::write::severity_number;
use crate::{Filter, Row, Stored};

/// The next of them, at most so many.
pub(super) fn underived(connection: &Connection, limit: i64) -> rusqlite::Result<Vec<Stored>> {
    let (done, to) = (
        facts::get(connection, facts::DERIVED)?,
        facts::get(connection, facts::OLDER)?,
    );
    if done >= to {
        return Ok(Vec::new());
    }
    let filter = Filter {
        after: done,
        before: Some(to + 1),
        ..Filter::default()
    };
    stored(connection, &filter, Order::Oldest, limit)
}

/// Writes what is known now.
pub(super) fn write(connection: &Connection, derived: &[(i64, Row)]) -> rusqlite::Result<()> {
    for (seq, row) in derived {
        connection
            .prepare_cached("UPDATE event SET agent = ?2, type = ?3, severity = ?4 WHERE seq = ?1")?
            .execute(params![
                seq,
                row.meaning.agent,
                row.meaning.kind.as_str(),
                severity_number(row.meaning.severity),
            ])?;
    }
    if let Some((last, _)) = derived.last() {
        facts::set(connection, facts::DERIVED, *last)?;
    }
    Ok(())
}
