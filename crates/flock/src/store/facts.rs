//! Single numbers that are kept in the same transaction as what they are about.

use rusqlite::{Connection, OptionalExtension as _, params};

/// How many events are stored.
pub(super) const EVENTS: &str = "events";
/// The last place that an event had which has gone: places are not given twice, because others remember them.
pub(super) const GONE: &str = "gone";
/// Up to which place agents, sessions and counts were made of events that an older program stored.
pub(super) const DERIVED: &str = "derived";
/// Up to which place there are such events.
pub(super) const OLDER: &str = "older";

pub(super) fn get(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    let value = connection
        .prepare_cached("SELECT value FROM fact WHERE name = ?1")?
        .query_row([name], |row| row.get(0))
        .optional()?;
    Ok(value.unwrap_or_default())
}

pub(super) fn set(connection: &Connection, name: &str, value: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO fact (name, value) VALUES (?1, ?2)
             ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        )?
        .execute(params![name, value])?;
    Ok(())
}

pub(super) fn add(connection: &Connection, name: &str, more: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO fact (name, value) VALUES (?1, ?2)
             ON CONFLICT (name) DO UPDATE SET value = fact.value + excluded.value",
        )?
        .execute(params![name, more])?;
    Ok(())
}
