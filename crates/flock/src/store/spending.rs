//! What was used and done: added to as it is counted, so that nobody has to sum up messages or events later.

use std::collections::BTreeMap;

use bellwether_spine::text;
use rusqlite::{Connection, Row, params};

use crate::live::{ModelUsage, Usage};
use crate::tally::{HOUR_MS, Tally, Work};
use crate::{ProjectSpending, Spending, SpendingHour};

/// A project's name is no longer than this where it is shown.
const NAME: usize = 200;
const SPENT: &str = "sum(messages), sum(input), sum(output), sum(cache_read), sum(cache_write), \
                     sum(usd), sum(unpriced)";
const WORKED: &str = "sum(prompts), sum(turns), sum(tasks), sum(failures), sum(refusals), \
                      sum(waits), sum(waited_ms)";

pub(super) fn write(connection: &Connection, tally: &Tally) -> rusqlite::Result<()> {
    for ((hour, project, model), usage) in &tally.spent {
        connection
            .prepare_cached(
                "INSERT INTO spend (hour, project, model, messages, input, output, cache_read,
                     cache_write, usd, unpriced)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
                 ON CONFLICT (hour, project, model) DO UPDATE SET
                     messages = messages + excluded.messages, input = input + excluded.input,
                     output = output + excluded.output,
                     cache_read = cache_read + excluded.cache_read,
                     cache_write = cache_write + excluded.cache_write,
                     usd = CASE WHEN usd IS NULL THEN excluded.usd
                           ELSE usd + coalesce(excluded.usd, 0) END,
                     unpriced = unpriced + excluded.unpriced",
            )?
            .execute(params![
                hour.cast_signed(),
                project,
                model,
                usage.messages.cast_signed(),
                usage.input_tokens.cast_signed(),
                usage.output_tokens.cast_signed(),
                usage.cache_read_tokens.cast_signed(),
                usage.cache_creation_tokens.cast_signed(),
                usage.cost_usd,
                usage.unpriced.cast_signed(),
            ])?;
    }
    for ((hour, project), work) in &tally.work {
        connection
            .prepare_cached(
                "INSERT INTO work (hour, project, prompts, turns, tasks, failures, refusals, waits,
                     waited_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                 ON CONFLICT (hour, project) DO UPDATE SET
                     prompts = prompts + excluded.prompts, turns = turns + excluded.turns,
                     tasks = tasks + excluded.tasks, failures = failures + excluded.failures,
                     refusals = refusals + excluded.refusals, waits = waits + excluded.waits,
                     waited_ms = waited_ms + excluded.waited_ms",
            )?
            .execute(params![
                hour.cast_signed(),
                project,
                work.prompts.cast_signed(),
                work.turns.cast_signed(),
                work.tasks.cast_signed(),
                work.failures.cast_signed(),
                work.refusals.cast_signed(),
                work.waits.cast_signed(),
                work.waited_ms.cast_signed(),
            ])?;
    }
    Ok(())
}

/// What was used and done from one moment to another, in whole hours.
pub(super) fn read(
    connection: &Connection,
    since_ms: u64,
    until_ms: u64,
) -> rusqlite::Result<Spending> {
    let window = (since_ms / HOUR_MS, until_ms.div_ceil(HOUR_MS));
    let hours = hours(connection, window)?;
    let (mut usage, mut work) = (Usage::default(), Work::default());
    for hour in &hours {
        usage.add(&hour.usage);
        work.add(&hour.work);
    }
    Ok(Spending {
        usage,
        work,
        hours,
        projects: projects(connection, window)?,
        models: models(connection, window)?,
    })
}

type Window = (u64, u64);

fn hours(connection: &Connection, window: Window) -> rusqlite::Result<Vec<SpendingHour>> {
    let mut hours: BTreeMap<i64, (Usage, Work)> = BTreeMap::new();
    each(connection, "spend", "hour", SPENT, window, |hour, row| {
        hours.entry(hour).or_default().0 = usage(row)?;
        Ok(())
    })?;
    each(connection, "work", "hour", WORKED, window, |hour, row| {
        hours.entry(hour).or_default().1 = work(row)?;
        Ok(())
    })?;
    let hour = |(hour, (usage, work)): (i64, _)| SpendingHour {
        at_ms: hour.cast_unsigned() * HOUR_MS,
        usage,
        work,
    };
    Ok(hours.into_iter().map(hour).collect())
}

fn projects(connection: &Connection, window: Window) -> rusqlite::Result<Vec<ProjectSpending>> {
    let mut projects: BTreeMap<String, (Usage, Work)> = BTreeMap::new();
    let spent = |name: String, row: &Row<'_>| {
        projects.entry(name).or_default().0 = usage(row)?;
        Ok(())
    };
    each(connection, "spend", "project", SPENT, window, spent)?;
    let worked = |name: String, row: &Row<'_>| {
        projects.entry(name).or_default().1 = work(row)?;
        Ok(())
    };
    each(connection, "work", "project", WORKED, window, worked)?;
    let project = |(name, (usage, work)): (String, _)| ProjectSpending {
        project: text::shown(&name, NAME),
        usage,
        work,
    };
    let mut projects: Vec<ProjectSpending> = projects.into_iter().map(project).collect();
    projects.sort_by(|one, other| dearest(&one.usage, &other.usage));
    Ok(projects)
}

fn models(connection: &Connection, window: Window) -> rusqlite::Result<Vec<ModelUsage>> {
    let mut models = Vec::new();
    let model = |name: String, row: &Row<'_>| {
        models.push(ModelUsage {
            model: text::shown(&name, NAME),
            usage: usage(row)?,
        });
        Ok(())
    };
    each(connection, "spend", "model", SPENT, window, model)?;
    models.sort_by(|one, other| dearest(&one.usage, &other.usage));
    Ok(models)
}

/// What cost more comes first, and where that is the same, what has more tokens.
fn dearest(one: &Usage, other: &Usage) -> std::cmp::Ordering {
    let cost = |usage: &Usage| usage.cost_usd.unwrap_or_default();
    let by_cost = cost(other).total_cmp(&cost(one));
    by_cost.then_with(|| other.tokens().cmp(&one.tokens()))
}

/// Tells the sums of each value of a column.
fn each<K: rusqlite::types::FromSql>(
    connection: &Connection,
    table: &str,
    column: &str,
    sums: &str,
    (from, to): Window,
    mut tell: impl FnMut(K, &Row<'_>) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let sql = format!(
        "SELECT {column}, {sums} FROM {table} WHERE hour >= ?1 AND hour < ?2 GROUP BY {column}"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([from.cast_signed(), to.cast_signed()])?;
    while let Some(row) = rows.next()? {
        tell(row.get(0)?, row)?;
    }
    Ok(())
}

fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(column)?.cast_unsigned())
}

/// The sums of [`SPENT`], behind the first column.
fn usage(row: &Row<'_>) -> rusqlite::Result<Usage> {
    Ok(Usage {
        messages: number(row, 1)?,
        input_tokens: number(row, 2)?,
        output_tokens: number(row, 3)?,
        cache_read_tokens: number(row, 4)?,
        cache_creation_tokens: number(row, 5)?,
        cost_usd: row.get(6)?,
        unpriced: number(row, 7)?,
    })
}

fn work(row: &Row<'_>) -> rusqlite::Result<Work> {
    Ok(Work {
        prompts: number(row, 1)?,
        turns: number(row, 2)?,
        tasks: number(row, 3)?,
        failures: number(row, 4)?,
        refusals: number(row, 5)?,
        waits: number(row, 6)?,
        waited_ms: number(row, 7)?,
    })
}

/// What was used in each of these hours, for whoever shows them already.
pub(super) fn usage_by_hour(
    connection: &Connection,
    since_ms: u64,
) -> rusqlite::Result<BTreeMap<u64, Usage>> {
    let mut hours = BTreeMap::new();
    let window = (since_ms / HOUR_MS, i64::MAX.cast_unsigned());
    each(
        connection,
        "spend",
        "hour",
        SPENT,
        window,
        |hour: i64, row| {
            hours.insert(hour.cast_unsigned() * HOUR_MS, usage(row)?);
            Ok(())
        },
    )?;
    Ok(hours)
}
