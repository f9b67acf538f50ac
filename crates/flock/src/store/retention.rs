//! How long events are kept, and how they go.
//!
//! Events go from the oldest on, a slice at a time, so that nobody who stores waits for long. Where the
//! audit chain stood is kept for ever: it is small, and the chain is checked against it. The place of an event that has
//! gone is never given to another: the audit, streams and exports remember places.

use rusqlite::{Connection, params, params_from_iter};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::query::Condition;
use super::{facts, tallies};
use crate::Filter;
use crate::tally::HOUR_MS;

const DAY_MS: u64 = 24 * HOUR_MS;
const MIB: u64 = 1024 * 1024;
/// So many events go at a time.
const SLICE: i64 = 2_000;

/// The store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Retention {
    /// Events are kept for so many days; 0 for ever.
    #[schemars(range(min = 0, max = 36_500))]
    pub keep_days: u32,
    /// The database takes at most so many MiB, then the oldest events go; 0 for as many as it likes.
    #[schemars(range(min = 0, max = 1_048_576))]
    pub max_mib: u32,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            keep_days: 90,
            max_mib: 4096,
        }
    }
}

/// What a slice of tidying did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tidied {
    pub removed: u64,
    pub more: bool,
    /// The place before which nothing is left.
    pub before: i64,
}

/// Removes the oldest events that are too old or too many.
pub(super) fn tidy(
    connection: &mut Connection,
    retention: &Retention,
    now_ms: u64,
) -> rusqlite::Result<Tidied> {
    let cutoff = match retention.keep_days {
        0 => 0,
        days => now_ms.saturating_sub(u64::from(days) * DAY_MS),
    };
    let too_large = retention.max_mib > 0 && used(connection)? > u64::from(retention.max_mib) * MIB;
    let transaction = connection.transaction()?;
    let slice = oldest(&transaction)?;
    let goes = |at_ms: u64| too_large || at_ms < cutoff;
    // Times may stand out of order; what is behind one that stays stays with it.
    let going = slice.iter().take_while(|(_, at_ms)| goes(*at_ms)).count();
    let last = going.checked_sub(1).and_then(|last| slice.get(last));
    if let Some((last, _)) = last {
        remove_up_to(&transaction, *last)?;
        facts::add(
            &transaction,
            facts::EVENTS,
            -i64::try_from(going).unwrap_or(0),
        )?;
    }
    if cutoff > 0 {
        forget_before(&transaction, cutoff)?;
    }
    transaction.commit()?;
    connection.execute_batch("PRAGMA incremental_vacuum(512)")?;
    Ok(Tidied {
        removed: going as u64,
        more: going > 0 && going == slice.len(),
        before: last.map_or(0, |(last, _)| last + 1),
    })
}

/// How many bytes are in use.
fn used(connection: &Connection) -> rusqlite::Result<u64> {
    let pages: i64 = connection.query_row(
        "SELECT (page_count - freelist_count) * page_size
         FROM pragma_page_count, pragma_freelist_count, pragma_page_size",
        [],
        |row| row.get(0),
    )?;
    Ok(pages.cast_unsigned())
}

fn oldest(connection: &Connection) -> rusqlite::Result<Vec<(i64, u64)>> {
    connection
        .prepare_cached("SELECT seq, at_ms FROM event ORDER BY seq LIMIT ?1")?
        .query_map([SLICE], |row| {
            Ok((row.get(0)?, row.get::<_, i64>(1)?.cast_unsigned()))
        })?
        .collect()
}

fn remove_up_to(connection: &Connection, last: i64) -> rusqlite::Result<()> {
    remember_places(connection)?;
    connection.execute("DELETE FROM record WHERE seq <= ?1", [last])?;
    connection.execute("DELETE FROM event WHERE seq <= ?1", [last])?;
    Ok(())
}

/// Notes the last place that was given, before what has it goes.
fn remember_places(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute(
        "INSERT INTO fact (name, value) SELECT ?1, coalesce(max(seq), 0) FROM event WHERE true
         ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)",
        [facts::GONE],
    )?;
    Ok(())
}

/// Counts, agents and sessions of which nothing was heard since a moment.
fn forget_before(connection: &Connection, cutoff: u64) -> rusqlite::Result<()> {
    let (moment, hour) = (cutoff.cast_signed(), (cutoff / HOUR_MS).cast_signed());
    tallies::forget_before(connection, hour)?;
    connection.execute("DELETE FROM spend WHERE hour < ?1", [hour])?;
    connection.execute("DELETE FROM work WHERE hour < ?1", [hour])?;
    connection.execute(
        "DELETE FROM agent WHERE last_ms < ?1 AND status = 'offline'",
        [moment],
    )?;
    // Those of an event have gone with it.
    connection.execute(
        "DELETE FROM decision WHERE event IS NULL AND at_ms < ?1",
        [moment],
    )?;
    connection.execute(
        "DELETE FROM session WHERE last_ms < ?1
         AND id NOT IN (SELECT session FROM agent WHERE session IS NOT NULL)",
        [moment],
    )?;
    Ok(())
}

/// Removes all events that fit, and what nobody is left of. Returns how many went.
pub(super) fn purge(connection: &mut Connection, filter: &Filter) -> rusqlite::Result<u64> {
    let everything = *filter == Filter::default();
    let Condition { sql, values } = Condition::of(filter);
    let transaction = connection.transaction()?;
    remember_places(&transaction)?;
    transaction.execute_batch("CREATE TEMP TABLE going (seq INTEGER PRIMARY KEY)")?;
    let going = transaction.execute(
        &format!("INSERT INTO going SELECT seq FROM event WHERE {sql}"),
        params_from_iter(values),
    )?;
    transaction.execute_batch(
        "DELETE FROM record WHERE seq IN (SELECT seq FROM going);
         DELETE FROM event WHERE seq IN (SELECT seq FROM going);
         DROP TABLE going;
         DELETE FROM agent WHERE session IS NULL OR session NOT IN
             (SELECT session FROM event WHERE session IS NOT NULL);
         DELETE FROM session WHERE id NOT IN
             (SELECT session FROM event WHERE session IS NOT NULL);
         DELETE FROM decision WHERE event IS NULL AND session NOT IN
             (SELECT session FROM event WHERE session IS NOT NULL);",
    )?;
    if everything {
        transaction.execute_batch(
            "DELETE FROM tally; DELETE FROM duration; DELETE FROM decision;
             DELETE FROM spend; DELETE FROM work;
             DELETE FROM tally_all; DELETE FROM duration_all;",
        )?;
    }
    let project = Filter {
        workspace: filter.workspace.clone(),
        ..Filter::default()
    };
    if let Some(name) = filter.workspace.as_ref().filter(|_| *filter == project) {
        transaction.execute("DELETE FROM spend WHERE project = ?1", [name])?;
        transaction.execute("DELETE FROM work WHERE project = ?1", [name])?;
    }
    facts::add(
        &transaction,
        facts::EVENTS,
        -i64::try_from(going).unwrap_or(0),
    )?;
    transaction.commit()?;
    // What was deleted shall not be found in the file either.
    connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")?;
    Ok(going as u64)
}

/// Writes a copy of the database that is whole, while others go on.
pub(super) fn backup(connection: &Connection, to: &str) -> rusqlite::Result<()> {
    connection.execute("VACUUM INTO ?1", params![to])?;
    Ok(())
}
