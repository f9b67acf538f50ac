//! Events of many requests go into the journal together, by one write, and are answered once they are safe
//! on the disk. From there they take the way of every event.
//!
//! A commit of the store writes a dozen pages whatever is in it, so that one for a handful of events at a
//! time is the slowest way to store them. While one write is under way the next requests' events gather
//! here, and all of them are answered on the runtime's own thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bellwether_spine::Home;
use bellwether_spine::journal::Ledger;
use tokio::sync::{Notify, Semaphore, oneshot};
use tokio::task::spawn_blocking;

use super::pace::Pace;
use crate::pipeline::Asker;
use crate::shared::locked;

/// So many writes are waited for at a time: while the disk is busy with one, the next is on its way.
const AT_A_TIME: usize = 2;

/// So little is written on the runtime's own thread while the disk is quick: waking another thread and being
/// woken by it takes longer than such a disk.
const FEW_BYTES: usize = 16 * 1024;
/// A disk that takes longer than this is waited for elsewhere.
const QUICK: Duration = Duration::from_millis(3);

/// No more than this waits for the next write: memory is not the place for a flood.
const MOST_WAITING: usize = 48 * 1024 * 1024;

/// Why events were not kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotKept {
    #[error("too much in too short a time")]
    TooFast(Duration),
    #[error("what came before is not stored yet")]
    Full,
    #[error("{0}")]
    Failed(String),
}

type Written = Result<(), NotKept>;

/// Events that wait for the next write, and whoever waits with them.
#[derive(Default)]
pub(crate) struct Collector {
    waiting: Mutex<Gathering>,
    more: Notify,
    /// Whether something was answered that the store may not have yet.
    ahead: Arc<AtomicBool>,
    /// Whether the disk was quick the last time.
    quick: Arc<AtomicBool>,
    /// How much others may send.
    pace: Pace,
}

#[derive(Default)]
struct Gathering {
    records: Vec<u8>,
    senders: Vec<oneshot::Sender<Written>>,
}

impl Collector {
    /// Keeps what others sent, if it is not too much in too short a time.
    pub(crate) async fn keep_foreign(&self, records: &[u8]) -> Written {
        self.pace
            .take(records.len(), Instant::now())
            .map_err(NotKept::TooFast)?;
        self.keep(records).await
    }

    /// Keeps framed records; once this is answered they are on the disk.
    pub(crate) async fn keep(&self, records: &[u8]) -> Written {
        if records.is_empty() {
            return Ok(());
        }
        let (done, answer) = oneshot::channel();
        self.put(records, done)?;
        answer
            .await
            .unwrap_or_else(|_| Err(NotKept::Failed("the daemon ends".to_owned())))
    }

    fn put(&self, records: &[u8], done: oneshot::Sender<Written>) -> Written {
        let mut waiting = locked(&self.waiting);
        if !waiting.records.is_empty() && waiting.records.len() + records.len() > MOST_WAITING {
            return Err(NotKept::Full);
        }
        waiting.records.extend_from_slice(records);
        waiting.senders.push(done);
        drop(waiting);
        self.more.notify_one();
        Ok(())
    }

    /// Writes what has come together, for as long as the daemon runs.
    pub(crate) async fn run(&self, home: &Home, asker: &Asker) {
        let ledger = Arc::new(Mutex::new(Ledger::new(home)));
        let places = Arc::new(Semaphore::new(AT_A_TIME));
        loop {
            self.more.notified().await;
            let Ok(place) = Arc::clone(&places).acquire_owned().await else {
                return;
            };
            self.gather().await;
            let waiting = std::mem::take(&mut *locked(&self.waiting));
            if waiting.senders.is_empty() {
                continue;
            }
            let (ledger, asker) = (Arc::clone(&ledger), asker.clone());
            let (ahead, quick) = (Arc::clone(&self.ahead), Arc::clone(&self.quick));
            let Gathering { records, senders } = waiting;
            let answer = move |written: &Written| {
                ahead.store(true, Ordering::Relaxed);
                asker.look();
                for sender in senders {
                    // Whoever has gone meanwhile does not hear it.
                    let _ = sender.send(written.clone());
                }
                drop(place);
            };
            let few = records.len() <= FEW_BYTES;
            if few && quick.load(Ordering::Relaxed) {
                answer(&write(&ledger, &records, &quick));
                continue;
            }
            let write = spawn_blocking(move || write(&ledger, &records, &quick));
            // Answered from here: each answer from another thread would wake this one anew.
            tokio::spawn(async move {
                let written = write.await;
                answer(&written.unwrap_or_else(|error| Err(NotKept::Failed(error.to_string()))));
            });
        }
    }

    /// Lets whatever has come meanwhile be read, until a look finds nothing more: a wait for the disk costs as
    /// much as several requests.
    async fn gather(&self) {
        let mut seen = 0;
        loop {
            let waiting = locked(&self.waiting).senders.len();
            if waiting == seen {
                return;
            }
            seen = waiting;
            tokio::task::yield_now().await;
        }
    }

    /// Waits until the store has all that was answered: whoever reads it is to find it there.
    pub(crate) async fn settle(&self, asker: &Asker) {
        if self.ahead.swap(false, Ordering::Relaxed)
            && let Err(text) = asker.drain().await
        {
            tracing::warn!("what was sent is not stored yet: {text}");
        }
    }
}

/// The ledger is held while it is written to, and not while it is waited for.
fn write(ledger: &Mutex<Ledger>, records: &[u8], quick: &AtomicBool) -> Written {
    let failed = |error: bellwether_spine::SpineError| NotKept::Failed(error.to_string());
    let begun = Instant::now();
    let noted = locked(ledger).append(records);
    let written = match noted.map_err(failed)? {
        Some(noted) => noted.wait().map_err(failed),
        None => Err(NotKept::Full),
    };
    quick.store(begun.elapsed() < QUICK, Ordering::Relaxed);
    written
}
