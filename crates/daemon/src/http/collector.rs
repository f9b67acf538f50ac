//! Events of many requests go to the store together.
//!
//! While one commit is under way the next requests' events gather here, and the answers to all of them
//! are given on the runtime's own thread: a commit costs two switches between threads, however many
//! requests wait for it.

use std::sync::Mutex;

use bellwether_flock::Row;
use tokio::sync::{Notify, oneshot};

use crate::pipeline::{Asker, Drained};
use crate::shared::locked;

/// Events that wait for the next commit, and whoever waits with them.
#[derive(Default)]
pub(crate) struct Collector {
    waiting: Mutex<Waiting>,
    more: Notify,
}

#[derive(Default)]
struct Waiting {
    rows: Vec<Row>,
    senders: Vec<oneshot::Sender<Drained>>,
}

impl Collector {
    /// Has events stored; once this is answered they are on the disk.
    pub(crate) async fn store(&self, rows: Vec<Row>) -> Drained {
        let (done, answer) = oneshot::channel();
        self.put(rows, done);
        answer
            .await
            .unwrap_or_else(|_| Err("the daemon ends".to_owned()))
    }

    fn put(&self, rows: Vec<Row>, done: oneshot::Sender<Drained>) {
        let mut waiting = locked(&self.waiting);
        waiting.rows.extend(rows);
        waiting.senders.push(done);
        drop(waiting);
        self.more.notify_one();
    }

    /// Hands on what has come together, for as long as the daemon runs.
    pub(crate) async fn run(&self, asker: &Asker) {
        loop {
            self.more.notified().await;
            let Waiting { rows, senders } = std::mem::take(&mut *locked(&self.waiting));
            if senders.is_empty() {
                continue;
            }
            let stored = asker.ingest(rows).await;
            for sender in senders {
                // Whoever has gone meanwhile does not hear it.
                let _ = sender.send(stored.clone());
            }
        }
    }
}
