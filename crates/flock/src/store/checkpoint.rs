//! Moves what was committed from the write-ahead log into the database, on a thread of its own: it waits
//! for the disk twice, and events are not to wait with it.
//!
//! Once all of the log has been moved, it is written from its start again, over old bytes, so the disk needs no new space
//! for it. Under constant load the thread never catches up with the writer: so when few pages are left, the writer moves
//! them itself, between two commits.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::Connection;

/// From so many pages on the log is emptied.
const LONG: i64 = 2048;
/// So few are moved by the writer.
const FEW: i64 = 512;
/// With so many the writer waits for the thread: it is slower.
const TOO_LONG: i64 = 16 * 1024;
/// The writer moves pages at most this often: whoever reads may keep the log from being begun anew.
const REST: Duration = Duration::from_millis(200);

/// The thread, which ends when this is dropped.
pub(super) struct Checkpointer {
    orders: Option<SyncSender<()>>,
    /// Held by the thread while it moves pages.
    at_work: Arc<Mutex<()>>,
    thread: Option<JoinHandle<()>>,
    /// When the writer last moved some.
    moved: Option<Instant>,
}

/// The pages in the log, and those of them that are in the database too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Log {
    pages: i64,
    moved: i64,
}

impl Checkpointer {
    /// Begins; without the thread the writer does it itself.
    pub(super) fn start(database: &Path) -> Self {
        let (orders, received) = sync_channel(1);
        let at_work = Arc::new(Mutex::new(()));
        let (database, work) = (database.to_owned(), Arc::clone(&at_work));
        let thread = std::thread::Builder::new()
            .name("checkpoint".into())
            .spawn(move || empty_when_told(&database, &received, &work));
        Self {
            orders: thread.is_ok().then_some(orders),
            at_work,
            thread: thread.ok(),
            moved: None,
        }
    }

    /// Whether the thread has ended, so that the writer does its work.
    pub(super) fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Has the log emptied if it has become long. `connection` is the writer's, between two commits.
    pub(super) fn look(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let log = Log::of(connection)?;
        if log.pages < LONG {
            return Ok(());
        }
        if let Some(orders) = self.orders.as_ref().filter(|_| log.pages < TOO_LONG) {
            let left = log.pages - log.moved;
            let rests = self.moved.is_some_and(|moved| moved.elapsed() < REST);
            if self.at_work.try_lock().is_err() || left == 0 || (left <= FEW && rests) {
                return Ok(());
            }
            if left > FEW {
                // One that was told already need not be told; one that has ended is not waited for.
                if !matches!(orders.try_send(()), Err(TrySendError::Disconnected(()))) {
                    return Ok(());
                }
            }
        }
        let _thread = held(&self.at_work);
        self.moved = Some(Instant::now());
        empty(connection)
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

fn held(lock: &Mutex<()>) -> MutexGuard<'_, ()> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

fn empty_when_told(database: &Path, orders: &Receiver<()>, at_work: &Mutex<()>) {
    let mut connection = None;
    while orders.recv().is_ok() {
        let _at_work = held(at_work);
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

impl Log {
    /// As it is now; nothing is done to it.
    fn of(connection: &Connection) -> rusqlite::Result<Self> {
        connection
            .prepare_cached("PRAGMA wal_checkpoint(NOOP)")?
            .query_row([], |row| {
                Ok(Self {
                    pages: row.get(1)?,
                    moved: row.get(2)?,
                })
            })
    }
}

/// Moves as much as nobody still reads from the log, without holding anybody up.
fn empty(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Place {
        _folder: tempfile::TempDir,
        log: std::path::PathBuf,
        connection: Connection,
        checkpointer: Checkpointer,
    }

    fn place() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.db");
        let connection = Connection::open(&path).unwrap();
        connection
            .execute_batch(
                "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
                 PRAGMA synchronous = OFF; CREATE TABLE t (x BLOB);",
            )
            .unwrap();
        Place {
            log: folder.path().join("x.db-wal"),
            checkpointer: Checkpointer::start(&path),
            _folder: folder,
            connection,
        }
    }

    impl Place {
        /// Writes so many pages and some, and has the log looked at.
        fn write(&mut self, pages: i64) {
            self.insert(pages);
            self.checkpointer.look(&self.connection).unwrap();
        }

        fn insert(&self, pages: i64) {
            self.connection
                .execute("INSERT INTO t VALUES (zeroblob(?1 * (16384 - 4)))", [pages])
                .unwrap();
            self.connection.execute("DELETE FROM t", []).unwrap();
        }

        /// Somebody who reads what is there now.
        fn read(&self) -> Connection {
            let reader = Connection::open(self.log.with_extension("db")).unwrap();
            let begin = "BEGIN; SELECT count(*) FROM t;";
            reader.execute_batch(begin).unwrap();
            reader
        }

        fn length(&self) -> u64 {
            std::fs::metadata(&self.log).unwrap().len()
        }
    }

    /// The log of a database that is written to over and over stays within its bound.
    #[test]
    fn the_log_does_not_grow_for_ever() {
        let mut place = place();
        let mut begun_anew = 0;
        let mut pages = 0;
        for _ in 0..200 {
            place.write(300);
            let log = Log::of(&place.connection).unwrap();
            begun_anew += usize::from(log.pages < pages);
            pages = log.pages;
            assert!(pages < TOO_LONG + 1000, "{pages}");
        }
        assert!(begun_anew > 0);
        let Place {
            log,
            connection,
            checkpointer,
            ..
        } = place;
        drop(checkpointer);
        drop(connection);
        assert!(!log.exists(), "the last connection takes the log with it");
    }

    #[test]
    fn the_writer_moves_the_rest_and_the_log_is_begun_anew() {
        let mut place = place();
        place.insert(LONG);
        let reader = place.read();
        place.insert(FEW / 4);
        empty(&place.connection).unwrap();
        drop(reader);
        let log = Log::of(&place.connection).unwrap();
        assert!(log.moved >= LONG && log.pages > log.moved, "{log:?}");
        place.checkpointer.look(&place.connection).unwrap();
        let log = Log::of(&place.connection).unwrap();
        assert_eq!(log.pages, log.moved);
        let length = place.length();
        place.write(FEW / 4);
        assert!(Log::of(&place.connection).unwrap().pages < LONG);
        assert_eq!(place.length(), length);
    }

    #[test]
    fn a_log_that_somebody_reads_grows_on_and_is_emptied_later() {
        let mut place = place();
        let reader = place.read();
        for _ in 0..4 {
            place.write(LONG);
        }
        assert!(Log::of(&place.connection).unwrap().pages > 3 * LONG);
        drop(reader);
        for _ in 0..1000 {
            place.write(10);
            if Log::of(&place.connection).unwrap().pages < LONG {
                return;
            }
            std::thread::sleep(REST / 100);
        }
        panic!("{:?}", Log::of(&place.connection));
    }
}
