//! Readers: as many as like, while the writer writes.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use bellwether_spine::chain::Head;
use bellwether_spine::journal::Cursor;
use rusqlite::{Connection, OpenFlags};

use super::events::Order;
use super::traits::StoreReader;
use super::{
    agents, decisions, events, facts, found, people, retention, schema, search, spending, suspect,
    table, tallies, timeline, write,
};
use crate::{
    AgentFilter, AgentRecord, AgentView, AuditRow, Decision, DecisionFilter, EventDetail, Filter,
    Overview, Page, People, PersonPlace, SessionFilter, SessionRecord, SessionTable, SessionView,
    Spending, StoreError, Stored, Timeline, TimelineWindow, ToolStats,
};

/// The database, open for reading.
pub struct Reader {
    connection: Connection,
    path: PathBuf,
    version: i64,
}

impl Reader {
    /// Opens the database; `None` when there is none yet.
    pub fn open(path: &Path) -> Result<Option<Self>, StoreError> {
        if !path.exists() {
            return Ok(None);
        }
        let failed = |source| {
            suspect::note(StoreError::Database {
                path: path.to_owned(),
                source,
            })
        };
        let (connection, found) = connect(path).map_err(failed)?;
        if found > schema::VERSION {
            return Err(StoreError::Newer {
                path: path.to_owned(),
                found,
                known: schema::VERSION,
            });
        }
        // A daemon that has just created the file has not made its tables yet.
        Ok((found > 0).then(|| Self {
            connection,
            path: path.to_owned(),
            version: found,
        }))
    }

    fn failed(&self, source: rusqlite::Error) -> StoreError {
        suspect::note(StoreError::Database {
            path: self.path.clone(),
            source,
        })
    }

    /// Runs a query, and says which database an error comes from.
    fn ask<T>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        query(&self.connection).map_err(|error| self.failed(error))
    }

    /// The same about what an older program did not store: there is none until the next daemon has
    /// opened the database.
    fn ask_new<T: Default>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        self.ask_since(schema::WITH_AGENTS, query)
    }

    fn ask_since<T: Default>(
        &self,
        version: i64,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        if self.version < version {
            return Ok(T::default());
        }
        self.ask(query)
    }

    /// Writes a whole copy of the store to a new file, while others go on.
    pub fn backup(&self, to: &Path) -> Result<(), StoreError> {
        let to = to.to_string_lossy();
        self.ask(|connection| retention::backup(connection, &to))
    }

    /// Where the audit chain stood at each refusal that was stored, the oldest first.
    pub fn audit_heads(&self) -> Result<Vec<Head>, StoreError> {
        let read = || -> rusqlite::Result<Vec<Head>> {
            // A database of an older version has none until the next daemon has opened it.
            let known: bool = self.connection.query_row(
                "SELECT count(*) FROM sqlite_master WHERE name = 'audit'",
                [],
                |row| row.get(0),
            )?;
            if !known {
                return Ok(Vec::new());
            }
            self.connection
                .prepare("SELECT seq, hash FROM audit ORDER BY rowid")?
                .query_map([], |row| {
                    Ok(Head {
                        seq: row.get::<_, i64>(0)?.cast_unsigned(),
                        hash: row.get(1)?,
                    })
                })?
                .collect()
        };
        read().map_err(|error| self.failed(error))
    }

    /// How far the journal has been stored.
    pub fn cursors(&self) -> Result<Vec<Cursor>, StoreError> {
        write::read_cursors(&self.connection).map_err(|error| self.failed(error))
    }
}

/// Connects, and reads the version. A reader needs a side file to share the database with a writer;
/// where a full or read-only disk has no room for it, and no writer has left anything behind, the
/// database is read as it stands.
pub(super) fn connect(path: &Path) -> rusqlite::Result<(Connection, i64)> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let shared = Connection::open_with_flags(path, flags).and_then(with_version);
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let left_behind = std::fs::metadata(&log).is_ok_and(|log| log.len() > 0);
    match shared {
        Err(error) if !left_behind && is_want_of_room(&error) => {
            let address = format!("file:{}?immutable=1", percent_encoded(path));
            Connection::open_with_flags(address, flags | OpenFlags::SQLITE_OPEN_URI)
                .and_then(with_version)
        }
        shared => shared,
    }
}

fn is_want_of_room(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{CannotOpen, DiskFull, ReadOnly, SystemIoFailure};
    matches!(
        error.sqlite_error_code(),
        Some(CannotOpen | ReadOnly | DiskFull | SystemIoFailure)
    )
}

fn with_version(connection: Connection) -> rusqlite::Result<(Connection, i64)> {
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    let version = schema::version(&connection)?;
    Ok((connection, version))
}

/// A path in an address: what has a meaning there is written by its number.
fn percent_encoded(path: &Path) -> String {
    use std::fmt::Write as _;
    path.as_os_str()
        .as_bytes()
        .iter()
        .fold(String::new(), |mut text, byte| {
            match byte {
                b'/' | b'-' | b'_' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                    text.push(char::from(*byte));
                }
                _ => drop(write!(text, "%{byte:02x}")),
            }
            text
        })
}

fn number(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

impl StoreReader for Reader {
    fn overview(&self) -> Result<Overview, StoreError> {
        let has_spending = self.version >= schema::WITH_SPENDING;
        self.ask_new(|connection| events::overview(connection, has_spending))
    }

    fn present(&self) -> Result<(Vec<AgentRecord>, Vec<SessionRecord>), StoreError> {
        self.ask_new(agents::present)
    }

    fn agents(&self, limit: usize) -> Result<Vec<AgentView>, StoreError> {
        self.ask_new(|connection| agents::newest(connection, number(limit)))
    }

    fn some_agents(
        &self,
        filter: &AgentFilter,
        limit: usize,
    ) -> Result<People<AgentView>, StoreError> {
        self.ask_new(|connection| people::agents(connection, filter, limit))
    }

    fn find_agents(&self, search: &str, limit: usize) -> Result<Vec<AgentView>, StoreError> {
        self.ask_new(|connection| people::find_agents(connection, search, limit))
    }

    fn agent(&self, id: &str) -> Result<Option<AgentView>, StoreError> {
        let agent = self.ask_new(|connection| agents::agent(connection, id))?;
        Ok(agent.map(AgentRecord::into_view))
    }

    fn sessions(&self, limit: usize) -> Result<Vec<SessionView>, StoreError> {
        self.ask_new(|connection| agents::sessions(connection, number(limit)))
    }

    fn some_sessions(
        &self,
        after: Option<&PersonPlace>,
        limit: usize,
    ) -> Result<People<SessionView>, StoreError> {
        self.ask_new(|connection| people::sessions(connection, after, limit))
    }

    fn session_table(
        &self,
        filter: &SessionFilter,
        limit: usize,
    ) -> Result<SessionTable, StoreError> {
        self.ask_since(schema::WITH_SPENDING, |connection| {
            table::read(connection, filter, limit)
        })
    }

    fn spending(&self, since_ms: u64, until_ms: u64) -> Result<Spending, StoreError> {
        self.ask_since(schema::WITH_SPENDING, |connection| {
            spending::read(connection, since_ms, until_ms)
        })
    }

    fn find_sessions(&self, search: &str, limit: usize) -> Result<Vec<SessionRecord>, StoreError> {
        self.ask_new(|connection| people::find_sessions(connection, search, limit))
    }

    fn session(&self, id: &str) -> Result<Option<SessionView>, StoreError> {
        self.ask_new(|connection| {
            agents::session(connection, id)?
                .map(|session| agents::with_agents(connection, session))
                .transpose()
        })
    }

    fn transcript(&self, session: &str) -> Result<Option<String>, StoreError> {
        self.ask_new(|connection| people::transcript(connection, session))
    }

    fn page(&self, filter: &Filter, limit: usize) -> Result<Page, StoreError> {
        self.ask(|connection| events::page(connection, &self.path, filter, limit))
    }

    fn event(&self, seq: i64) -> Result<Option<EventDetail>, StoreError> {
        self.ask(|connection| events::detail(connection, seq))
    }

    fn first(&self, filter: &Filter, limit: usize) -> Result<Vec<Stored>, StoreError> {
        self.ask(|connection| match &filter.search {
            Some(search) => {
                let mut found = found::all(connection, &self.path, filter, search)?;
                found.reverse();
                found.truncate(limit);
                Ok(found)
            }
            None => events::stored(connection, filter, Order::Oldest, number(limit)),
        })
    }

    fn last(&self, filter: &Filter, limit: usize) -> Result<Vec<Stored>, StoreError> {
        let mut events = self
            .ask(|connection| events::stored(connection, filter, Order::Newest, number(limit)))?;
        events.reverse();
        Ok(events)
    }

    fn timeline(&self, window: &TimelineWindow) -> Result<Timeline, StoreError> {
        self.ask_new(|connection| timeline::read(connection, window))
    }

    fn tools(&self, since_ms: u64) -> Result<Vec<ToolStats>, StoreError> {
        let has_totals = self.version >= schema::WITH_SPENDING;
        self.ask_new(|connection| tallies::tools(connection, since_ms, has_totals))
    }

    fn audit(&self, before: Option<i64>, limit: usize) -> Result<Vec<AuditRow>, StoreError> {
        self.ask_new(|connection| events::audit(connection, before, number(limit)))
    }

    fn decisions(&self, filter: DecisionFilter, limit: usize) -> Result<Vec<Decision>, StoreError> {
        if self.version < schema::WITH_DECISIONS {
            return Ok(Vec::new());
        }
        self.ask(|connection| decisions::read(connection, filter, number(limit)))
    }

    fn count(&self) -> Result<u64, StoreError> {
        let count = self.ask(|connection| {
            if self.version < schema::WITH_AGENTS {
                return connection.query_row("SELECT count(*) FROM event", [], |row| row.get(0));
            }
            facts::get(connection, facts::EVENTS)
        });
        count.map(i64::cast_unsigned)
    }

    fn searchable(&self) -> Result<i64, StoreError> {
        self.ask(|_| search::searchable(&self.path))
    }
}
