//! Writing the words.

use std::path::Path;

use rusqlite::{Connection, params};

use super::{SHELF, VERSION, remove, table};

/// The database of the words, open for writing.
pub(super) struct Index {
    connection: Connection,
    last: i64,
}

impl Index {
    /// Opens it; one that is damaged, of another version, or ahead of its store is begun anew.
    pub(super) fn open(path: &Path, newest: i64) -> rusqlite::Result<Self> {
        match Self::open_as_it_is(path) {
            Ok(index) if index.last <= newest => Ok(index),
            _ => {
                remove(path);
                Self::open_as_it_is(path)
            }
        }
    }

    fn open_as_it_is(path: &Path) -> rusqlite::Result<Self> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        connection.pragma_update(None, "page_size", 16 * 1024)?;
        connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // Whatever is lost with the power is made again from the store.
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "cache_size", -4096)?;
        connection.pragma_update(None, "wal_autocheckpoint", 1000)?;
        connection.pragma_update(None, "journal_size_limit", 32 * 1024 * 1024)?;
        connection.set_prepared_statement_cache_capacity(8);
        let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version == 0 {
            connection.execute_batch(
                "CREATE TABLE place (last INTEGER NOT NULL) STRICT; INSERT INTO place VALUES (0);",
            )?;
            connection.pragma_update(None, "user_version", VERSION)?;
        } else if version != VERSION {
            return Err(rusqlite::Error::InvalidQuery);
        }
        let last = connection.query_row("SELECT last FROM place", [], |row| row.get(0))?;
        Ok(Self { connection, last })
    }

    /// The place of the last event whose words are in it.
    pub(super) fn last(&self) -> i64 {
        self.last
    }

    /// Puts words in; they come in the order of the events.
    pub(super) fn add(&mut self, words: &[(i64, String)]) -> rusqlite::Result<()> {
        let Some((newest, _)) = words.last() else {
            return Ok(());
        };
        let transaction = self.connection.transaction()?;
        for part in words.chunk_by(|one, next| one.0 / SHELF == next.0 / SHELF) {
            let Some((first, _)) = part.first() else {
                continue;
            };
            let table = table(first / SHELF);
            create(&transaction, &table)?;
            let mut insert = transaction.prepare_cached(&format!(
                "INSERT INTO {table} (rowid, text) VALUES (?1, ?2)"
            ))?;
            for (seq, text) in part {
                if !text.is_empty() {
                    insert.execute(params![seq, text])?;
                }
            }
        }
        transaction
            .prepare_cached("UPDATE place SET last = ?1")?
            .execute([newest])?;
        transaction.commit()?;
        self.last = *newest;
        Ok(())
    }

    /// Drops shelves whose events are all older than this place.
    pub(super) fn forget(&mut self, before: i64) -> rusqlite::Result<()> {
        for shelf in shelves(&self.connection)? {
            if (shelf + 1) * SHELF <= before {
                let table = table(shelf);
                self.connection
                    .execute_batch(&format!("DROP TABLE {table}; PRAGMA incremental_vacuum;"))?;
            }
        }
        Ok(())
    }
}

fn create(connection: &Connection, table: &str) -> rusqlite::Result<()> {
    let known: bool = connection
        .prepare_cached("SELECT count(*) FROM sqlite_master WHERE name = ?1")?
        .query_row([table], |row| row.get(0))?;
    if known {
        return Ok(());
    }
    // Neither the texts nor the places of words in them are kept: that an event has them is enough.
    connection.execute_batch(&format!(
        "CREATE VIRTUAL TABLE {table} USING fts5 (
             text, content = '', detail = none, columnsize = 0,
             tokenize = 'unicode61 remove_diacritics 2'
         );
         INSERT INTO {table} ({table}, rank) VALUES ('automerge', 16);
         INSERT INTO {table} ({table}, rank) VALUES ('hashsize', 8388608);
         INSERT INTO {table} ({table}, rank) VALUES ('pgsz', 16000);"
    ))
}

/// The shelves that there are, the newest first.
pub(super) fn shelves(connection: &Connection) -> rusqlite::Result<Vec<i64>> {
    let mut shelves: Vec<i64> = connection
        .prepare("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%'")?
        .query_map([], |row| row.get::<_, String>(0))?
        .filter_map(|name| name.ok()?.strip_prefix("words_")?.parse().ok())
        .collect();
    shelves.sort_unstable_by_key(|shelf| std::cmp::Reverse(*shelf));
    Ok(shelves)
}
