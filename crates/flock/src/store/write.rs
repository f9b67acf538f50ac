//! The one writer.

use std::path::{Path, PathBuf};

use bellwether_protocol::event::Kind;
use bellwether_spine::journal::{Cursor, Segment};
use rusqlite::{Connection, Transaction, params};

use super::checkpoint::Checkpointer;
use super::events::{self, Order};
use super::retention::{self, Retention, Tidied};
use super::search::{self, Indexer};
use super::traits::{Commit, Store};
use super::{agents, decisions, derive, facts, schema, suspect, tallies};
use crate::{AgentRecord, Filter, Row, SessionRecord, Severity, StoreError, Stored};

/// After so many decisions the oldest are looked for.
const TRIM_AFTER: usize = 1_000;

/// The database, open for writing. There is one in a daemon, and one daemon a home.
pub struct Sqlite {
    connection: Connection,
    path: PathBuf,
    indexer: Indexer,
    checkpointer: Checkpointer,
    /// Whether it was said that a thread has ended.
    complained: bool,
    /// How many decisions were stored since the oldest were removed.
    decided: usize,
}

impl Sqlite {
    /// The newest events that fit, at most so many, oldest first.
    fn last(&self, filter: &Filter, limit: usize) -> Result<Vec<Stored>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let last = events::stored(&self.connection, filter, Order::Newest, limit);
        let mut last = last.map_err(|error| self.failed(error))?;
        last.reverse();
        Ok(last)
    }

    /// Opens the database, creating or migrating it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let failed = |source| StoreError::Database {
            path: path.to_owned(),
            source,
        };
        let mut connection = Connection::open(path).map_err(failed)?;
        let found = schema::version(&connection).map_err(failed)?;
        if found > schema::VERSION {
            return Err(StoreError::Newer {
                path: path.to_owned(),
                found,
                known: schema::VERSION,
            });
        }
        prepare(&mut connection).map_err(failed)?;
        let newest = last_seq(&connection).map_err(failed)?;
        Ok(Self {
            connection,
            path: path.to_owned(),
            indexer: Indexer::start(path, newest),
            checkpointer: Checkpointer::start(path),
            complained: false,
            decided: 0,
        })
    }

    /// Whether somebody has read damage in the file since this was last asked.
    pub fn take_suspicion(path: &Path) -> bool {
        suspect::take(path)
    }

    /// Whether what is in the file is a whole database. One that cannot be opened at all may be.
    pub fn is_sound(path: &Path) -> bool {
        let Ok(connection) = Connection::open(path) else {
            return true;
        };
        let checked =
            connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
        match checked {
            Ok(said) => said == "ok",
            Err(source) => !StoreError::Database {
                path: path.to_owned(),
                source,
            }
            .is_damage(),
        }
    }

    /// Moves a damaged database and its side files out of the way, under a name not yet taken.
    pub fn set_aside(path: &Path) -> Result<PathBuf, StoreError> {
        let with = |suffix: &str| {
            let mut name = path.as_os_str().to_owned();
            name.push(suffix);
            PathBuf::from(name)
        };
        let aside = (1..1000)
            .map(|number| with(&format!(".damaged-{number}")))
            .find(|name| !name.exists());
        let aside = aside.unwrap_or_else(|| with(".damaged"));
        std::fs::rename(path, &aside).map_err(|source| StoreError::SetAside {
            path: path.to_owned(),
            source,
        })?;
        search::remove(&search::path(path));
        for side in ["-wal", "-shm"] {
            let mut name = aside.as_os_str().to_owned();
            name.push(side);
            // A side file that is not there needs no moving.
            let _ = std::fs::rename(with(side), name);
        }
        Ok(aside)
    }

    /// Removes the oldest decisions, now and then.
    fn trim(&mut self, more: usize) -> Result<(), StoreError> {
        self.decided += more;
        if self.decided < TRIM_AFTER {
            return Ok(());
        }
        self.decided = 0;
        decisions::trim(&self.connection).map_err(|error| self.failed(error))
    }

    fn failed(&self, source: rusqlite::Error) -> StoreError {
        StoreError::Database {
            path: self.path.clone(),
            source,
        }
    }
}

impl Store for Sqlite {
    fn commit(&mut self, commit: &Commit<'_>) -> Result<i64, StoreError> {
        let seq = append(&mut self.connection, commit).map_err(|error| self.failed(error))?;
        let emptied = self.checkpointer.look(&self.connection);
        emptied.map_err(|error| self.failed(error))?;
        self.trim(commit.decisions.len())?;
        let stored = i64::try_from(commit.rows.len()).unwrap_or(i64::MAX);
        self.indexer.add(seq - stored, commit.rows);
        Ok(seq)
    }

    fn complaint(&mut self) -> Option<&'static str> {
        let found = if self.indexer.has_ended() {
            "the thread that makes events searchable has ended: new events are stored, and not found by words until \
             the daemon is started again"
        } else if self.checkpointer.has_ended() {
            "the thread that empties the database's log has ended: storing goes on, more slowly"
        } else {
            return None;
        };
        (!std::mem::replace(&mut self.complained, true)).then_some(found)
    }

    fn settle(&mut self) -> Result<(), StoreError> {
        let newest = last_seq(&self.connection).map_err(|error| self.failed(error))?;
        self.indexer.settle(newest);
        Ok(())
    }

    fn cursors(&self) -> Result<Vec<Cursor>, StoreError> {
        read_cursors(&self.connection).map_err(|error| self.failed(error))
    }

    fn present(&self) -> Result<(Vec<AgentRecord>, Vec<SessionRecord>), StoreError> {
        agents::present(&self.connection).map_err(|error| self.failed(error))
    }

    fn agent(&self, id: &str) -> Result<Option<AgentRecord>, StoreError> {
        agents::agent(&self.connection, id).map_err(|error| self.failed(error))
    }

    fn session(&self, id: &str) -> Result<Option<SessionRecord>, StoreError> {
        agents::session(&self.connection, id).map_err(|error| self.failed(error))
    }

    fn newest(&self, limit: usize) -> Result<Vec<Stored>, StoreError> {
        self.last(&Filter::default(), limit)
    }

    fn calls(&self, session: &str, tool: &str, limit: usize) -> Result<Vec<Stored>, StoreError> {
        let ended = Filter {
            session: Some(session.to_owned()),
            tool: Some(tool.to_owned()),
            name: Some(Kind::PostToolUse.as_str().to_owned()),
            ..Filter::default()
        };
        self.last(&ended, limit)
    }

    fn underived(&self, limit: usize) -> Result<Vec<Stored>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        derive::underived(&self.connection, limit).map_err(|error| self.failed(error))
    }

    fn tidy(&mut self, retention: &Retention, now_ms: u64) -> Result<Tidied, StoreError> {
        let tidied = retention::tidy(&mut self.connection, retention, now_ms);
        let tidied = tidied.map_err(|error| self.failed(error))?;
        if tidied.before > 0 {
            self.indexer.forget(tidied.before);
        }
        Ok(tidied)
    }

    fn purge(&mut self, filter: &Filter) -> Result<u64, StoreError> {
        let gone = retention::purge(&mut self.connection, filter);
        let gone = gone.map_err(|error| self.failed(error))?;
        // Words are not taken out one by one: the index is made again from what is left.
        self.indexer.stop();
        search::remove(&search::path(&self.path));
        let newest = last_seq(&self.connection).map_err(|error| self.failed(error))?;
        self.indexer = Indexer::start(&self.path, newest);
        Ok(gone)
    }
}

fn prepare(connection: &mut Connection) -> rusqlite::Result<()> {
    // Larger pages halve the cost of storing a payload of some kilobytes.
    connection.pragma_update(None, "page_size", 16 * 1024)?;
    // What is deleted can be given back to the disk piece by piece.
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    // A daemon at rest shall be small; the system's own cache holds the file.
    connection.pragma_update(None, "cache_size", -2048)?;
    // That is the checkpointer's.
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    connection.pragma_update(None, "journal_size_limit", 64 * 1024 * 1024)?;
    connection.set_prepared_statement_cache_capacity(16);
    schema::migrate(connection)
}

fn append(connection: &mut Connection, commit: &Commit<'_>) -> rusqlite::Result<i64> {
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let mut seq = last_seq(&transaction)?.max(facts::get(&transaction, facts::GONE)?);
    insert(&transaction, &mut seq, commit.rows)?;
    for cursor in commit.cursors {
        move_cursor(&transaction, cursor)?;
    }
    for segment in commit.gone {
        transaction.execute(
            "DELETE FROM cursor WHERE segment = ?1",
            [segment.0.cast_signed()],
        )?;
    }
    if !commit.rows.is_empty() {
        let more = i64::try_from(commit.rows.len()).unwrap_or(i64::MAX);
        facts::add(&transaction, facts::EVENTS, more)?;
    }
    derive::write(&transaction, commit.derived)?;
    decisions::write(&transaction, commit.decisions)?;
    agents::write(&transaction, commit.agents, commit.sessions)?;
    if let Some(tally) = commit.tally {
        tallies::write(&transaction, tally)?;
    }
    transaction.commit()?;
    Ok(seq)
}

fn last_seq(connection: &Connection) -> rusqlite::Result<i64> {
    connection
        .prepare_cached("SELECT coalesce(max(seq), 0) FROM event")?
        .query_row([], |row| row.get(0))
}

/// Puts events behind the last one.
fn insert(transaction: &Transaction<'_>, seq: &mut i64, rows: &[Row]) -> rusqlite::Result<()> {
    let mut event = transaction.prepare_cached(
        "INSERT INTO event
             (seq, id, at_ms, session, agent, name, tool, tool_use, workspace, type, severity)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?;
    let mut record =
        transaction.prepare_cached("INSERT INTO record (seq, body) VALUES (?1, ?2)")?;
    for row in rows {
        *seq += 1;
        event.execute(params![
            *seq,
            row.id,
            row.at_ms.cast_signed(),
            row.session,
            row.meaning.agent,
            row.name,
            row.tool,
            row.tool_use,
            row.workspace,
            row.meaning.kind.as_str(),
            severity_number(row.meaning.severity),
        ])?;
        record.execute(params![*seq, &*row.record])?;
        if let Some(head) = &row.audit {
            transaction
                .prepare_cached("INSERT INTO audit (event, seq, hash) VALUES (?1, ?2, ?3)")?
                .execute(params![*seq, head.seq.cast_signed(), head.hash])?;
        }
    }
    Ok(())
}

pub(super) fn severity_number(severity: Severity) -> i64 {
    match severity {
        Severity::Debug => 0,
        Severity::Info => 1,
        Severity::Warn => 2,
        Severity::Error => 3,
    }
}

fn move_cursor(transaction: &Transaction<'_>, cursor: &Cursor) -> rusqlite::Result<()> {
    transaction
        .prepare_cached(
            "INSERT INTO cursor (segment, place, head) VALUES (?1, ?2, ?3)
             ON CONFLICT (segment) DO UPDATE SET place = excluded.place, head = excluded.head",
        )?
        .execute(params![
            cursor.segment.0.cast_signed(),
            cursor.offset.cast_signed(),
            cursor.head
        ])?;
    Ok(())
}

pub(super) fn read_cursors(connection: &Connection) -> rusqlite::Result<Vec<Cursor>> {
    connection
        .prepare("SELECT segment, place, head FROM cursor ORDER BY segment")?
        .query_map([], |row| {
            Ok(Cursor {
                segment: Segment(row.get::<_, i64>(0)?.cast_unsigned()),
                offset: row.get::<_, i64>(1)?.cast_unsigned(),
                head: row.get(2)?,
            })
        })?
        .collect()
}
