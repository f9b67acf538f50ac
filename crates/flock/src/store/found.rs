//! Events that have certain words and fit in everything else too.

use std::path::Path;

use rusqlite::{Connection, params_from_iter};

use super::query::Condition;
use super::search::Finder;
use crate::{Filter, Stored};

/// So many places are taken from the index at a time.
const AT_A_TIME: usize = 512;
/// After so many that have the words and do not fit the rest is left for the next page.
const LOOKED_AT: usize = 50_000;

/// The newest that fit, and from where to go on when there may be more.
pub(super) fn newest(
    connection: &Connection,
    path: &Path,
    filter: &Filter,
    search: &str,
    limit: usize,
) -> rusqlite::Result<(Vec<Stored>, Option<i64>)> {
    let Some(finder) = Finder::open(path, search)? else {
        return Ok((Vec::new(), None));
    };
    let mut events = Vec::new();
    let mut place = filter.before.unwrap_or(i64::MAX);
    let mut looked_at = 0;
    loop {
        let places = finder.before(place, AT_A_TIME)?;
        for seq in &places {
            if *seq <= filter.after {
                return Ok((events, None));
            }
            if events.len() == limit {
                return Ok((events, Some(place)));
            }
            place = *seq;
            events.extend(fitting(connection, filter, *seq)?);
        }
        looked_at += places.len();
        if places.len() < AT_A_TIME {
            return Ok((events, None));
        }
        if looked_at >= LOOKED_AT {
            return Ok((events, Some(place)));
        }
    }
}

/// All that fit, the newest first.
pub(super) fn all(
    connection: &Connection,
    path: &Path,
    filter: &Filter,
    search: &str,
) -> rusqlite::Result<Vec<Stored>> {
    let mut all = Vec::new();
    let mut filter = filter.clone();
    loop {
        let (events, next) = newest(connection, path, &filter, search, AT_A_TIME)?;
        all.extend(events);
        match next {
            Some(_) => filter.before = next,
            None => return Ok(all),
        }
    }
}

/// The event of a place, if it fits.
fn fitting(connection: &Connection, filter: &Filter, seq: i64) -> rusqlite::Result<Option<Stored>> {
    let Condition { sql, mut values } = Condition::of(filter);
    let sql = format!(
        "SELECT event.seq, record.body FROM event JOIN record USING (seq)
         WHERE {sql} AND event.seq = ?"
    );
    values.push(seq.into());
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    Ok(Some(Stored {
        seq: row.get(0)?,
        record: row.get(1)?,
    }))
}
