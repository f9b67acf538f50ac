//! The second thread: stores batches, several in one commit when they come quickly.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use bellwether_flock::Store;
use tracing::error;

use super::follower::Batch;
use crate::shared::{Shared, locked};

/// A commit waits for the disk; while little happens there is at most one in this time.
const COMMIT_EVERY: Duration = Duration::from_millis(20);
/// More than this is not gathered for one commit.
const GATHERED: usize = 4096;
/// Between tries to store what could not be stored.
const RETRY: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(10)];

/// Runs until the other side has gone. What could not be stored by then is still in the journal.
pub(super) fn run(mut store: Store, shared: &Shared, batches: &Receiver<Batch>) {
    let mut last = None;
    while let Some(mut batch) = gather(batches, last) {
        let mut pause = RETRY[0];
        while let Err(text) = commit(&mut store, &batch, shared) {
            error!("{text}");
            *locked(&shared.store_trouble) = Some(text.clone());
            for done in batch.done.drain(..) {
                let _ = done.send(Err(text.clone()));
            }
            // The follower waits to hand on the next batch, or has ended.
            match batches.recv_timeout(pause) {
                Ok(more) => absorb(&mut batch, more),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            pause = (pause * 2).min(RETRY[1]);
        }
        last = Some(Instant::now());
        for done in batch.done {
            let _ = done.send(Ok(()));
        }
    }
}

/// The next batch, with those that follow it before the next commit is due.
fn gather(batches: &Receiver<Batch>, last: Option<Instant>) -> Option<Batch> {
    let mut batch = batches.recv().ok()?;
    let due = last.map(|last| last + COMMIT_EVERY);
    while batch.done.is_empty() && batch.rows.len() < GATHERED {
        let wait = due.map_or(Duration::ZERO, |due| {
            due.saturating_duration_since(Instant::now())
        });
        match batches.recv_timeout(wait) {
            Ok(more) => absorb(&mut batch, more),
            Err(_) => break,
        }
    }
    Some(batch)
}

fn absorb(batch: &mut Batch, more: Batch) {
    batch.rows.extend(more.rows);
    batch.cursors.extend(more.cursors);
    batch.deleted.extend(more.deleted);
    batch.done.extend(more.done);
}

fn commit(store: &mut Store, batch: &Batch, shared: &Shared) -> Result<(), String> {
    let failed =
        |error: bellwether_flock::StoreError| format!("events wait in the journal: {error}");
    if !batch.rows.is_empty() || !batch.cursors.is_empty() {
        let seq = store.append(&batch.rows, &batch.cursors).map_err(failed)?;
        shared
            .events
            .fetch_add(batch.rows.len() as u64, Ordering::Relaxed);
        shared.stored.send_replace(seq);
    }
    store.forget(&batch.deleted).map_err(failed)?;
    *locked(&shared.store_trouble) = None;
    Ok(())
}
