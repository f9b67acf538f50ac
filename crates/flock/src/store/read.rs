//! Readers: as many as like, while the writer writes.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use bellwether_spine::chain::Head;
use bellwether_spine::journal::Cursor;
use rusqlite::{Connection, OpenFlags, params};

use super::{schema, write};
use crate::{StoreError, Stored};

/// Which events to read.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only of sessions whose id begins with this.
    pub session: Option<String>,
    /// Only of this name.
    pub name: Option<String>,
    /// Only later than this place in the order.
    pub after: i64,
}

/// The database, open for reading.
pub struct Reader {
    connection: Connection,
    path: PathBuf,
}

impl Reader {
    /// Opens the database; `None` when there is none yet.
    pub fn open(path: &Path) -> Result<Option<Self>, StoreError> {
        if !path.exists() {
            return Ok(None);
        }
        let failed = |source| StoreError::Database {
            path: path.to_owned(),
            source,
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
        }))
    }

    fn failed(&self, source: rusqlite::Error) -> StoreError {
        StoreError::Database {
            path: self.path.clone(),
            source,
        }
    }

    /// The first `limit` events that fit, in the order of the journal.
    pub fn first(&self, filter: &Filter, limit: usize) -> Result<Vec<Stored>, StoreError> {
        self.events(filter, limit, "ASC")
    }

    /// The last `limit` events that fit, in the order of the journal.
    pub fn last(&self, filter: &Filter, limit: usize) -> Result<Vec<Stored>, StoreError> {
        let mut events = self.events(filter, limit, "DESC")?;
        events.reverse();
        Ok(events)
    }

    fn events(
        &self,
        filter: &Filter,
        limit: usize,
        order: &str,
    ) -> Result<Vec<Stored>, StoreError> {
        // Only what is asked for stands in the statement, so that an index can serve it.
        let (from, to) = session_range(filter.session.as_deref());
        let session = if from.is_some() {
            "AND session >= ?2 AND session < ?3"
        } else {
            ""
        };
        let name = if filter.name.is_some() {
            "AND name = ?4"
        } else {
            ""
        };
        let sql = format!(
            "SELECT event.seq, record.body FROM event JOIN record USING (seq)
             WHERE event.seq > ?1 {session} {name} ORDER BY event.seq {order} LIMIT ?5"
        );
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let read = || -> rusqlite::Result<Vec<Stored>> {
            self.connection
                .prepare_cached(&sql)?
                .query_map(params![filter.after, from, to, filter.name, limit], |row| {
                    Ok(Stored {
                        seq: row.get(0)?,
                        record: row.get(1)?,
                    })
                })?
                .collect()
        };
        read().map_err(|error| self.failed(error))
    }

    /// How many events are stored.
    pub fn count(&self) -> Result<u64, StoreError> {
        self.connection
            .query_row("SELECT count(*) FROM event", [], |row| row.get::<_, i64>(0))
            .map(i64::cast_unsigned)
            .map_err(|error| self.failed(error))
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
                .prepare("SELECT seq, hash FROM audit ORDER BY event")?
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
fn connect(path: &Path) -> rusqlite::Result<(Connection, i64)> {
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

/// All ids that begin with a text, as a half-open range that an index can serve.
fn session_range(start: Option<&str>) -> (Option<String>, Option<String>) {
    let Some(start) = start else {
        return (None, None);
    };
    (Some(start.to_owned()), Some(format!("{start}\u{10ffff}")))
}
