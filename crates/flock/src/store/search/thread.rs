//! The thread that keeps the words up with the store.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, channel, sync_channel};
use std::thread::JoinHandle;

use super::index::Index;
use crate::store::events::{Order, stored};
use crate::store::read;
use crate::{Filter, Row};

/// So many batches may wait; what does not fit is read from the store later.
const WAITING: usize = 8;
/// So many events are caught up with at a time.
const CATCH_UP: i64 = 2_000;

/// What the thread is told.
enum Told {
    /// Events were stored: the place before the first, and the words of each.
    Words(i64, Vec<String>),
    /// Say when the words of all events up to a place are in.
    Settle(i64, std::sync::mpsc::Sender<()>),
    /// Events before a place are gone.
    Forget(i64),
}

/// Hands words to the thread, which ends when this is dropped.
pub(crate) struct Indexer {
    orders: Option<SyncSender<Told>>,
    thread: Option<JoinHandle<()>>,
}

impl Indexer {
    /// Begins to keep up. Without the thread there is no search, and everything else works.
    pub(crate) fn start(store: &Path, newest: i64) -> Self {
        let (orders, received) = sync_channel(WAITING);
        let store = store.to_owned();
        let thread = std::thread::Builder::new()
            .name("search".into())
            .spawn(move || keep_up(&store, newest, &received));
        Self {
            orders: Some(orders),
            thread: thread.ok(),
        }
    }

    /// Hands on the words of events that were stored behind a place.
    pub(crate) fn add(&self, before: i64, rows: &[Row]) {
        if rows.is_empty() {
            return;
        }
        let words = rows.iter().map(|row| row.words.clone()).collect();
        // A thread that is behind reads from the store what it was not told.
        self.tell(Told::Words(before, words));
    }

    /// Waits until the words of all events up to a place are in.
    pub(crate) fn settle(&self, newest: i64) {
        let (done, heard) = channel();
        if let Some(orders) = &self.orders
            && orders.send(Told::Settle(newest, done)).is_ok()
        {
            let _ = heard.recv();
        }
    }

    /// Forgets the words of events before a place.
    pub(crate) fn forget(&self, before: i64) {
        self.tell(Told::Forget(before));
    }

    fn tell(&self, order: Told) {
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

/// Runs until nobody tells anything any more. When something fails the index is left as it is, and the
/// next daemon goes on or begins anew.
fn keep_up(store: &Path, newest: i64, orders: &Receiver<Told>) {
    let mut keeper = Keeper {
        store: store.to_owned(),
        index: Index::open(&super::path(store), newest).ok(),
    };
    keeper.catch_up(newest);
    while let Ok(order) = orders.recv() {
        match order {
            Told::Words(before, words) => keeper.add(before, words),
            Told::Settle(newest, done) => {
                keeper.catch_up(newest);
                let _ = done.send(());
            }
            Told::Forget(before) => {
                if let Some(index) = &mut keeper.index {
                    let _ = index.forget(before);
                }
            }
        }
    }
}

struct Keeper {
    store: PathBuf,
    index: Option<Index>,
}

impl Keeper {
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
            self.index = None;
        }
    }

    /// Reads from the store what was not told, up to a place.
    fn catch_up(&mut self, to: i64) {
        while self.index.as_ref().is_some_and(|index| index.last() < to) {
            if self.read_on(to).is_none() {
                // Without these the index would have a hole that nobody sees.
                self.index = None;
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
