//! Finding events by their words.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::index::shelves;
use super::{SHELF, VERSION, table};

/// The words, open for reading.
pub(crate) struct Finder {
    connection: Connection,
    shelves: Vec<i64>,
    query: String,
}

impl Finder {
    /// Opens the words for a search; `None` when there are none yet, or nothing is searched for.
    pub(crate) fn open(store: &Path, search: &str) -> rusqlite::Result<Option<Self>> {
        let path = super::path(store);
        let Some(query) = query(search).filter(|_| path.exists()) else {
            return Ok(None);
        };
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version != VERSION {
            return Ok(None);
        }
        let shelves = shelves(&connection)?;
        Ok(Some(Self {
            connection,
            shelves,
            query,
        }))
    }

    /// The places of events that have the words, before a place, the newest first.
    pub(crate) fn before(&self, place: i64, limit: usize) -> rusqlite::Result<Vec<i64>> {
        let mut found = Vec::new();
        for shelf in &self.shelves {
            let left = limit - found.len();
            if left == 0 || shelf * SHELF > place {
                continue;
            }
            let sql = format!(
                "SELECT rowid FROM {0} WHERE {0} MATCH ?1 AND rowid < ?2
                 ORDER BY rowid DESC LIMIT ?3",
                table(*shelf)
            );
            let mut statement = self.connection.prepare_cached(&sql)?;
            let left = i64::try_from(left).unwrap_or(i64::MAX);
            let rows = statement.query_map((&self.query, place, left), |row| row.get(0))?;
            for seq in rows {
                found.push(seq?);
            }
        }
        Ok(found)
    }
}

/// The place of the last event whose words are in.
pub(crate) fn searchable(store: &Path) -> rusqlite::Result<i64> {
    let path = super::path(store);
    if !path.exists() {
        return Ok(0);
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if version != VERSION {
        return Ok(0);
    }
    connection.query_row("SELECT last FROM place", [], |row| row.get(0))
}

/// From so many letters on the last word may be unfinished. Shorter ones begin so many others that they
/// would find everything; whoever writes other scripts says much in one or two.
const UNFINISHED: usize = 3;

/// What a person types as the index understands it: all words, the last one perhaps unfinished.
fn query(search: &str) -> Option<String> {
    let words: Vec<&str> = search
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let last = words.last()?;
    let unfinished =
        search.ends_with(char::is_alphanumeric) && (last.len() >= UNFINISHED || !last.is_ascii());
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    let all = quoted.join(" ");
    Some(if unfinished { format!("{all} *") } else { all })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_becomes_words() {
        let cases = [
            ("make check", Some("\"make\" \"check\" *")),
            ("src/main.rs ", Some("\"src\" \"main\" \"rs\"")),
            ("\"' OR 1=1", Some("\"OR\" \"1\" \"1\"")),
            ("cargo t", Some("\"cargo\" \"t\"")),
            ("한", Some("\"한\" *")),
            ("--", None),
            ("", None),
        ];
        for (typed, wanted) in cases {
            assert_eq!(query(typed).as_deref(), wanted, "{typed}");
        }
    }
}
