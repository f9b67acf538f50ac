//! Moves what was committed from the write-ahead log into the database, on a thread of its own: it waits
//! for the disk twice, and events are not to wait with it.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use rusqlite::Connection;

/// From this length on the log is emptied.
const LONG: u64 = 32 * 1024 * 1024;
/// At this length the writer waits for it: under a load that never ends the thread never reaches its end.
const TOO_LONG: u64 = 256 * 1024 * 1024;

/// The thread, which ends when this is dropped.
pub(super) struct Checkpointer {
    log: PathBuf,
    orders: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// Begins; without the thread the writer does it itself.
    pub(super) fn start(database: &Path) -> Self {
        let (orders, received) = sync_channel(1);
        let mut log = database.as_os_str().to_owned();
        log.push("-wal");
        let database = database.to_owned();
        let thread = std::thread::Builder::new()
            .name("checkpoint".into())
            .spawn(move || empty_when_told(&database, &received));
        Self {
            log: PathBuf::from(log),
            orders: thread.is_ok().then_some(orders),
            thread: thread.ok(),
        }
    }

    /// Has the log emptied if it has become long. `connection` is the writer's, between two commits.
    pub(super) fn look(&self, connection: &Connection) -> rusqlite::Result<()> {
        let length = std::fs::metadata(&self.log).map_or(0, |seen| seen.len());
        let told = match &self.orders {
            // One that is at it already need not be told.
            Some(orders) if length < TOO_LONG => {
                if length >= LONG {
                    let _ = orders.try_send(());
                }
                true
            }
            _ => false,
        };
        if !told && length >= LONG {
            empty(connection)?;
        }
        Ok(())
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        drop(self.orders.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn empty_when_told(database: &Path, orders: &Receiver<()>) {
    let mut connection = None;
    while orders.recv().is_ok() {
        if connection.is_none() {
            connection = open(database).ok();
        }
        // What fails here is done by the writer once the log is too long, and told there.
        let _ = connection.as_ref().map(empty);
    }
}

fn open(database: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(database)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "cache_size", -512)?;
    Ok(connection)
}

/// Moves as much as nobody still reads from the log, without holding anybody up.
fn empty(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The log of a database that is written to over and over stays within its bound.
    #[test]
    fn the_log_does_not_grow_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.db");
        let connection = Connection::open(&path).unwrap();
        connection
            .execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF;
                 CREATE TABLE t (x BLOB);",
            )
            .unwrap();
        let checkpointer = Checkpointer::start(&path);
        let mut most = 0;
        for _ in 0..40 {
            connection
                .execute("INSERT INTO t VALUES (zeroblob(8000000))", [])
                .unwrap();
            connection.execute("DELETE FROM t", []).unwrap();
            checkpointer.look(&connection).unwrap();
            most = most.max(std::fs::metadata(&checkpointer.log).unwrap().len());
        }
        assert!(most < 2 * TOO_LONG, "{most}");
        let log = checkpointer.log.clone();
        drop(checkpointer);
        drop(connection);
        assert!(!log.exists(), "the last connection takes the log with it");
    }
}
