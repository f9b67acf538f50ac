//! Counts, added to as events come and summed up when somebody asks.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};

use super::spending;
use crate::tally::{HOUR_MS, Tally, ToolStats, quantile};
use crate::{Count, HourCount, Usage};

/// So many hours are shown one by one.
const HOURS: i64 = 48;

pub(super) fn write(connection: &Connection, tally: &Tally) -> rusqlite::Result<()> {
    for (key, count) in &tally.counts {
        connection
            .prepare_cached(
                "INSERT INTO tally (hour, name, type, tool, events) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (hour, name, type, tool)
                 DO UPDATE SET events = tally.events + excluded.events",
            )?
            .execute(params![
                key.hour.cast_signed(),
                key.name,
                key.kind.as_str(),
                key.tool.as_deref().unwrap_or_default(),
                count.cast_signed(),
            ])?;
        connection
            .prepare_cached(
                "INSERT INTO tally_all (name, type, tool, events) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (name, type, tool)
                 DO UPDATE SET events = tally_all.events + excluded.events",
            )?
            .execute(params![
                key.name,
                key.kind.as_str(),
                key.tool.as_deref().unwrap_or_default(),
                count.cast_signed(),
            ])?;
    }
    spending::write(connection, tally)?;
    for ((hour, tool, step), count) in &tally.durations {
        connection
            .prepare_cached(
                "INSERT INTO duration (hour, tool, step, calls) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (hour, tool, step)
                 DO UPDATE SET calls = duration.calls + excluded.calls",
            )?
            .execute(params![hour.cast_signed(), tool, step, count.cast_signed()])?;
        connection
            .prepare_cached(
                "INSERT INTO duration_all (tool, step, calls) VALUES (?1, ?2, ?3)
                 ON CONFLICT (tool, step)
                 DO UPDATE SET calls = duration_all.calls + excluded.calls",
            )?
            .execute(params![tool, step, count.cast_signed()])?;
    }
    Ok(())
}

/// Forgets the hours before one. The totals are made again when some had been counted in them.
pub(super) fn forget_before(connection: &Connection, hour: i64) -> rusqlite::Result<()> {
    let counts = connection.execute("DELETE FROM tally WHERE hour < ?1", [hour])?;
    let durations = connection.execute("DELETE FROM duration WHERE hour < ?1", [hour])?;
    if counts + durations == 0 {
        return Ok(());
    }
    connection.execute_batch(
        "DELETE FROM tally_all; DELETE FROM duration_all;
         INSERT INTO tally_all SELECT name, type, tool, sum(events) FROM tally
             GROUP BY name, type, tool;
         INSERT INTO duration_all SELECT tool, step, sum(calls) FROM duration
             GROUP BY tool, step;",
    )
}

/// How many of each, by one of the columns, the most first. An older database has no totals.
pub(super) fn counts(
    connection: &Connection,
    column: &str,
    has_totals: bool,
) -> rusqlite::Result<Vec<Count>> {
    let table = if has_totals { "tally_all" } else { "tally" };
    let sql = format!(
        "SELECT {column}, sum(events) FROM {table}
         GROUP BY {column} ORDER BY sum(events) DESC, {column}"
    );
    connection
        .prepare_cached(&sql)?
        .query_map([], |row| {
            Ok(Count {
                name: row.get(0)?,
                count: row.get::<_, i64>(1)?.cast_unsigned(),
            })
        })?
        .collect()
}

/// The last hours; an older database does not say what was used.
pub(super) fn hours(
    connection: &Connection,
    has_spending: bool,
) -> rusqlite::Result<Vec<HourCount>> {
    let mut hours: Vec<HourCount> = connection
        .prepare_cached(
            "SELECT hour, sum(events),
                 sum(CASE WHEN type IN ('tool_failed', 'task_failed') THEN events ELSE 0 END)
             FROM tally GROUP BY hour ORDER BY hour DESC LIMIT ?1",
        )?
        .query_map([HOURS], |row| {
            let number = |column| -> rusqlite::Result<u64> {
                Ok(row.get::<_, i64>(column)?.cast_unsigned())
            };
            Ok(HourCount {
                at_ms: number(0)? * HOUR_MS,
                events: number(1)?,
                failures: number(2)?,
                usage: Usage::default(),
            })
        })?
        .collect::<rusqlite::Result<_>>()?;
    hours.reverse();
    if !has_spending {
        return Ok(hours);
    }
    let since = hours.first().map_or(0, |hour| hour.at_ms);
    let used = spending::usage_by_hour(connection, since)?;
    for hour in &mut hours {
        hour.usage = used.get(&hour.at_ms).copied().unwrap_or_default();
    }
    Ok(hours)
}

pub(super) fn tools(
    connection: &Connection,
    since_ms: u64,
    has_totals: bool,
) -> rusqlite::Result<Vec<ToolStats>> {
    let since = (since_ms / HOUR_MS).cast_signed();
    // Of all hours the totals are known.
    let all = has_totals && since == 0;
    let steps = steps(connection, since, all)?;
    let (table, hours) = if all {
        ("tally_all", "?1 = 0")
    } else {
        ("tally", "hour >= ?1")
    };
    let sql = format!(
        "SELECT tool, sum(events),
             sum(CASE WHEN type = 'tool_failed' THEN events ELSE 0 END)
         FROM {table}
         WHERE {hours} AND tool <> '' AND type IN ('tool_succeeded', 'tool_failed')
         GROUP BY tool ORDER BY sum(events) DESC, tool"
    );
    connection
        .prepare_cached(&sql)?
        .query_map([since], |row| {
            let tool: String = row.get(0)?;
            let of_tool = steps.get(&tool).map(Vec::as_slice).unwrap_or_default();
            Ok(ToolStats {
                count: row.get::<_, i64>(1)?.cast_unsigned(),
                failures: row.get::<_, i64>(2)?.cast_unsigned(),
                p50_ms: quantile(of_tool, 0.5),
                p95_ms: quantile(of_tool, 0.95),
                tool,
            })
        })?
        .collect()
}

/// How many calls took how long, by tool, in rising order.
fn steps(
    connection: &Connection,
    since: i64,
    all: bool,
) -> rusqlite::Result<BTreeMap<String, Vec<(u32, u64)>>> {
    let mut of: BTreeMap<String, Vec<(u32, u64)>> = BTreeMap::new();
    let (table, hours) = if all {
        ("duration_all", "?1 = 0")
    } else {
        ("duration", "hour >= ?1")
    };
    let mut statement = connection.prepare_cached(&format!(
        "SELECT tool, step, sum(calls) FROM {table} WHERE {hours}
         GROUP BY tool, step ORDER BY tool, step"
    ))?;
    let mut rows = statement.query([since])?;
    while let Some(row) = rows.next()? {
        let calls = row.get::<_, i64>(2)?.cast_unsigned();
        of.entry(row.get(0)?)
            .or_default()
            .push((row.get(1)?, calls));
    }
    Ok(of)
}

#[cfg(test)]
mod tests {
    use super::super::schema;
    use super::*;
    use crate::EventType;
    use crate::tally::Key;

    #[test]
    fn totals_are_the_sums_of_the_hours_that_are_kept() {
        let mut connection = Connection::open_in_memory().unwrap();
        schema::migrate(&mut connection).unwrap();
        for hour in [5, 6, 6] {
            let mut tally = Tally::default();
            let key = Key {
                hour,
                name: "PostToolUse".into(),
                kind: EventType::ToolSucceeded,
                tool: Some("Bash".into()),
            };
            tally.counts.insert(key, 10);
            tally.durations.insert((hour, "Bash".into(), 3), 10);
            write(&connection, &tally).unwrap();
        }
        let totals = |connection: &Connection| {
            let counts = counts(connection, "type", true).unwrap();
            assert_eq!(counts, super::counts(connection, "type", false).unwrap());
            let tools = tools(connection, 0, true).unwrap();
            assert_eq!(tools, super::tools(connection, 0, false).unwrap());
            (counts[0].count, tools[0].count)
        };
        assert_eq!(totals(&connection), (30, 30));
        forget_before(&connection, 6).unwrap();
        assert_eq!(totals(&connection), (20, 20));
        forget_before(&connection, 6).unwrap();
        assert_eq!(totals(&connection), (20, 20));
    }
}
