//! The second thread: stores batches, several in one commit when they come quickly, and lets time pass
//! for the flock in between.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use bellwether_flock::{Harvest, Keeper, Retention, Row, Sqlite, StoreError};
use bellwether_spine::clock;
use tracing::info;

use super::Observers;
use super::follower::{Batch, Chore};
use crate::shared::Shared;

/// A commit waits for the disk; while little happens there is at most one in this time.
const COMMIT_EVERY: Duration = Duration::from_millis(20);
/// More than this is not gathered for one commit.
const GATHERED: usize = 4096;
/// The flock is looked after at most this often.
const TICK_AT_MOST: Duration = Duration::from_secs(1);
/// And at least this often, while somebody is in it.
const TICK_AT_LEAST: Duration = Duration::from_secs(15);
/// Old events are removed for this long at a time.
const TIDY_FOR: Duration = Duration::from_millis(500);

/// Runs until the other side has gone, or until something could not be stored: that is then still in
/// the journal.
pub(super) fn run(
    mut keeper: Keeper<Sqlite>,
    shared: &Shared,
    batches: &Receiver<Batch>,
    observers: &mut Observers<'_>,
    retention: &Retention,
) -> Result<(), StoreError> {
    let mut last = None;
    let mut ticked = Instant::now();
    loop {
        match gather(batches, last, wait_for_tick(&keeper, ticked)) {
            Gathered::Batch(batch) => {
                let rows = store(&mut keeper, batch, shared, retention)?;
                last = Some(Instant::now());
                observers.tell(rows);
            }
            Gathered::Nothing => {}
            Gathered::End => return Ok(()),
        }
        if ticked.elapsed() >= wait_for_tick(&keeper, ticked).max(TICK_AT_MOST) {
            shared.live.tell(keeper.tick(clock::wall_ms())?);
            ticked = Instant::now();
        }
    }
}

/// How long nothing happens by itself.
fn wait_for_tick(keeper: &Keeper<Sqlite>, ticked: Instant) -> Duration {
    let Some(due) = keeper.flock().next_due() else {
        return Duration::from_hours(1);
    };
    let left = Duration::from_millis(due.saturating_sub(clock::wall_ms()));
    let since = ticked.elapsed();
    left.clamp(
        TICK_AT_MOST.saturating_sub(since),
        TICK_AT_LEAST.max(TICK_AT_MOST),
    )
}

/// What came while it was waited for.
enum Gathered {
    Batch(Batch),
    Nothing,
    End,
}

/// The next batch, with those that follow it before the next commit is due.
fn gather(batches: &Receiver<Batch>, last: Option<Instant>, patience: Duration) -> Gathered {
    let mut batch = match batches.recv_timeout(patience) {
        Ok(batch) => batch,
        Err(RecvTimeoutError::Timeout) => return Gathered::Nothing,
        Err(RecvTimeoutError::Disconnected) => return Gathered::End,
    };
    let due = last.map(|last| last + COMMIT_EVERY);
    while batch.done.is_empty() && batch.harvest.rows.len() < GATHERED {
        let wait = due.map_or(Duration::ZERO, |due| {
            due.saturating_duration_since(Instant::now())
        });
        match batches.recv_timeout(wait) {
            Ok(more) => absorb(&mut batch, more),
            Err(_) => break,
        }
    }
    Gathered::Batch(batch)
}

fn absorb(batch: &mut Batch, more: Batch) {
    batch.harvest.rows.extend(more.harvest.rows);
    batch.harvest.cursors.extend(more.harvest.cursors);
    batch.harvest.gone.extend(more.harvest.gone);
    batch.harvest.usage.extend(more.harvest.usage);
    batch.chore = batch.chore.max(more.chore);
    batch.done.extend(more.done);
}

/// Removes what is not kept any longer, but not for so long that events would wait.
fn tidy(keeper: &mut Keeper<Sqlite>, retention: &Retention) -> Result<(), StoreError> {
    let begun = Instant::now();
    let mut removed = 0;
    loop {
        let tidied = keeper.tidy(retention, clock::wall_ms())?;
        removed += tidied.removed;
        if !tidied.more || begun.elapsed() > TIDY_FOR {
            break;
        }
    }
    if removed > 0 {
        info!("removed {removed} events that are not kept any longer");
    }
    Ok(())
}

/// Stores a batch, tells whoever waits for it, and returns what was stored.
fn store(
    keeper: &mut Keeper<Sqlite>,
    batch: Batch,
    shared: &Shared,
    retention: &Retention,
) -> Result<Vec<Row>, StoreError> {
    let stored = commit(keeper, batch.harvest, shared).and_then(|rows| {
        match batch.chore {
            Chore::Nothing => {}
            Chore::Settle => keeper.settle()?,
            Chore::Tidy => tidy(keeper, retention)?,
        }
        Ok(rows)
    });
    let answer = stored
        .as_ref()
        .map_or_else(|error| Err(error.to_string()), |_| Ok(()));
    for done in batch.done {
        let _ = done.send(answer.clone());
    }
    stored
}

fn commit(
    keeper: &mut Keeper<Sqlite>,
    harvest: Harvest,
    shared: &Shared,
) -> Result<Vec<Row>, StoreError> {
    let Harvest {
        rows,
        cursors,
        gone,
        usage,
    } = &harvest;
    if rows.is_empty() && cursors.is_empty() && gone.is_empty() && usage.is_empty() {
        return Ok(Vec::new());
    }
    let kept = keeper.keep(harvest, clock::wall_ms())?;
    shared
        .events
        .fetch_add(kept.rows.len() as u64, Ordering::Relaxed);
    shared.doubles.fetch_add(kept.doubles, Ordering::Relaxed);
    shared.stored.send_replace(kept.seq);
    shared.live.tell(kept.changes);
    Ok(kept.rows)
}
