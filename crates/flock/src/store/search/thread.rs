//! The thread that keeps the words up with the store.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::mpsc::{
    Receiver, RecvTimeoutError, SyncSender, TrySendError, channel, sync_channel,
};
use std::thread::JoinHandle;
use std::time::Duration;

use super::index::Index;
use crate::store::events::{Order, stored};
use crate::store::read;
use crate::{Filter, Row};

/// So many batches may wait; what does not fit is read from the store later.
const WAITING: usize = 8;
/// So many events are caught up with at a time.
const CATCH_UP: i64 = 250;
/// After so long without an order, the thread checks whether it missed something.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// What the thread is told.
enum IndexOrder {
    /// Events were stored: the place before the first, and the words of each.
    Words(i64, Vec<String>),
    /// Say when the words of all events up to a place are in.
    Settle(i64, std::sync::mpsc::Sender<()>),
    /// Events before a place are gone.
    Forget(i64),
}

/// Hands words to the thread, which ends when this is dropped.
pub(crate) struct Indexer {
    newest: Arc<AtomicI64>,
    /// Whether the thread has given the index up.
    gave_up: Arc<AtomicBool>,
    orders: Option<SyncSender<IndexOrder>>,
    thread: Option<JoinHandle<()>>,
}

impl Indexer {
    /// Begins to keep up. Without the thread there is no search, and everything else works.
    pub(crate) fn start(store: &Path, newest: i64) -> Self {
        let (orders, received) = sync_channel(WAITING);
        let store = store.to_owned();
        let newest = Arc::new(AtomicI64::new(newest));
        let stored = Arc::clone(&newest);
        let gave_up = Arc::new(AtomicBool::new(false));
        let given_up = Arc::clone(&gave_up);
        let thread = std::thread::Builder::new()
            .name("search".into())
            .spawn(move || keep_up(&store, &stored, &received, &given_up));
        Self {
            newest,
            gave_up,
            orders: Some(orders),
            thread: thread.ok(),
        }
    }

    /// Whether nothing new can be searched for any more.
    pub(crate) fn has_ended(&self) -> bool {
        let ended = self.thread.as_ref().is_none_or(JoinHandle::is_finished);
        ended || self.gave_up.load(Ordering::Relaxed)
    }

    /// Hands on the words of events that were stored behind a place.
    pub(crate) fn add(&self, before: i64, rows: &[Row]) {
        if rows.is_empty() {
            return;
        }
        let words: Vec<String> = rows.iter().map(|row| row.words.clone()).collect();
        let newest = before.saturating_add(i64::try_from(rows.len()).unwrap_or(i64::MAX));
        self.newest.store(newest, Ordering::Relaxed);
        // A thread that is behind reads from the store what it was not told.
        self.tell(IndexOrder::Words(before, words));
    }

    /// Waits until the words of all events up to a place are in.
    pub(crate) fn settle(&self, newest: i64) {
        let (done, heard) = channel();
        if let Some(orders) = &self.orders
            && orders.send(IndexOrder::Settle(newest, done)).is_ok()
        {
            let _ = heard.recv();
        }
    }

    /// Forgets the words of events before a place.
    pub(crate) fn forget(&self, before: i64) {
        self.tell(IndexOrder::Forget(before));
    }

    fn tell(&self, order: IndexOrder) {
        if let Some(orders) = &self.orders {
            match orders.try_send(order) {
                Ok(()) | Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {}
            }
        }
    }
}

impl Indexer {
    /// Ends the thread, once it has done what it was told.
    pub(crate) fn stop(&mut self) {
        drop(self.orders.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Indexer {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Runs until nobody tells anything any more. When something fails the index is begun anew, a few times; then it is
/// left as it is, and the next daemon goes on or begins anew.
fn keep_up(store: &Path, newest: &AtomicI64, orders: &Receiver<IndexOrder>, gave_up: &AtomicBool) {
    let stored = || newest.load(Ordering::Relaxed);
    let mut keeper = IndexKeeper {
        store: store.to_owned(),
        index: Index::open(&super::path(store), stored()).ok(),
        begun: 0,
        gave_up,
    };
    keeper.catch_up(stored());
    loop {
        // What was not told because too much waited is seen when nothing does.
        match orders.recv_timeout(LOOK_EVERY) {
            Ok(told) => keeper.hear(told),
            Err(RecvTimeoutError::Timeout) if keeper.is_behind(stored()) => {
                keeper.catch_up(stored());
            }
            Err(RecvTimeoutError::Timeout) => match orders.recv() {
                Ok(told) => keeper.hear(told),
                Err(_) => return,
            },
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// So often an index is begun anew.
const BEGIN_ANEW: usize = 3;

struct IndexKeeper<'a> {
    store: PathBuf,
    index: Option<Index>,
    begun: usize,
    gave_up: &'a AtomicBool,
}

impl IndexKeeper<'_> {
    /// Something failed: the index has a hole, or cannot be written. It is begun anew, up to a few times.
    fn begin_anew(&mut self, newest: i64) {
        self.index = None;
        if self.begun == BEGIN_ANEW {
            self.gave_up.store(true, Ordering::Relaxed);
            return;
        }
        self.begun += 1;
        let path = super::path(&self.store);
        super::remove(&path);
        self.index = Index::open(&path, newest).ok();
        self.gave_up.store(self.index.is_none(), Ordering::Relaxed);
    }

    fn hear(&mut self, order: IndexOrder) {
        match order {
            IndexOrder::Words(before, words) => self.add(before, words),
            IndexOrder::Settle(newest, done) => {
                self.catch_up(newest);
                let _ = done.send(());
            }
            IndexOrder::Forget(before) => {
                if let Some(index) = &mut self.index {
                    // What could not be dropped is tried with the next that goes.
                    let _ = index.forget(before);
                }
            }
        }
    }

    fn is_behind(&self, newest: i64) -> bool {
        self.index
            .as_ref()
            .is_some_and(|index| index.last() < newest)
    }

    fn add(&mut self, before: i64, words: Vec<String>) {
        self.catch_up(before);
        let Some(index) = &mut self.index else { return };
        let last = index.last();
        // Some of it may have been caught up with already.
        let words: Vec<(i64, String)> = (before + 1..)
            .zip(words)
            .filter(|(seq, _)| *seq > last)
            .collect();
        if last >= before && index.add(&words).is_err() {
            self.begin_anew(last);
        }
    }

    /// Reads from the store what was not told, up to a place.
    fn catch_up(&mut self, to: i64) {
        while self.is_behind(to) {
            if self.read_on(to).is_none() {
                // Without these the index would have a hole that nobody sees.
                self.begin_anew(to);
            }
        }
    }

    fn read_on(&mut self, to: i64) -> Option<()> {
        let index = self.index.as_mut()?;
        let (connection, _) = read::connect(&self.store).ok()?;
        let filter = Filter {
            after: index.last(),
            before: Some(to + 1),
            ..Filter::default()
        };
        let events = stored(&connection, &filter, Order::Oldest, CATCH_UP).ok()?;
        let mut words: Vec<(i64, String)> = events
            .iter()
            .map(|event| (event.seq, Row::of_text(&event.record).words))
            .collect();
        // Behind the last one that there is nothing is to be read.
        if i64::try_from(events.len()).is_ok_and(|found| found < CATCH_UP)
            && words.last().is_none_or(|(seq, _)| *seq < to)
        {
            words.push((to, String::new()));
        }
        index.add(&words).ok()
    }
}
