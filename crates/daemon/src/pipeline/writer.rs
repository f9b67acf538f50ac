//! The second thread: stores batches, several in one commit when they come quickly.

use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use bellwether_flock::{Store, StoreError};

use super::Observers;
use super::follower::Batch;
use crate::shared::Shared;

/// A commit waits for the disk; while little happens there is at most one in this time.
const COMMIT_EVERY: Duration = Duration::from_millis(20);
/// More than this is not gathered for one commit.
const GATHERED: usize = 4096;
/// Runs until the other side has gone, or until something could not be stored: that is then still in
/// the journal.
pub(super) fn run(
    mut store: Store,
    shared: &Shared,
    batches: &Receiver<Batch>,
    observers: &mut Observers<'_>,
) -> Result<(), StoreError> {
    let mut last = None;
    while let Some(batch) = gather(batches, last) {
        let stored = commit(&mut store, &batch, shared);
        last = Some(Instant::now());
        let answer = stored
            .as_ref()
            .map_or_else(|error| Err(error.to_string()), |()| Ok(()));
        for done in batch.done {
            let _ = done.send(answer.clone());
        }
        stored?;
        observers.tell(batch.rows);
    }
    Ok(())
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

fn commit(store: &mut Store, batch: &Batch, shared: &Shared) -> Result<(), StoreError> {
    if batch.rows.is_empty() && batch.cursors.is_empty() && batch.deleted.is_empty() {
        return Ok(());
    }
    let seq = store.append(&batch.rows, &batch.cursors, &batch.deleted)?;
    shared
        .events
        .fetch_add(batch.rows.len() as u64, Ordering::Relaxed);
    shared.stored.send_replace(seq);
    Ok(())
}
