//! The last of something, numbered: whoever was away for a moment asks for what came behind a number.

use std::collections::VecDeque;
use std::sync::Mutex;

use tokio::sync::watch;

use crate::shared::locked;

pub(crate) struct Ring<T> {
    kept: Mutex<VecDeque<Numbered<T>>>,
    most: usize,
    last: watch::Sender<u64>,
}

/// Something with its place in the order.
#[derive(Debug, Clone)]
pub(crate) struct Numbered<T> {
    pub number: u64,
    pub item: T,
}

impl<T: Clone> Ring<T> {
    /// Keeps at most so many; the first gets the number behind `last`.
    pub(crate) fn new(most: usize, last: u64) -> Self {
        Self {
            kept: Mutex::new(VecDeque::new()),
            most,
            last: watch::Sender::new(last),
        }
    }

    /// Keeps some more, and tells whoever listens.
    pub(crate) fn add(&self, items: impl IntoIterator<Item = T>) {
        let mut kept = locked(&self.kept);
        let before = self.last();
        let mut number = before;
        for item in items {
            number += 1;
            if kept.len() >= self.most {
                kept.pop_front();
            }
            kept.push_back(Numbered { number, item });
        }
        if number > before {
            self.last.send_replace(number);
        }
    }

    /// What is kept of those behind a number, oldest first.
    pub(crate) fn after(&self, number: u64) -> Vec<Numbered<T>> {
        let kept = locked(&self.kept);
        let after = kept.iter().filter(|one| one.number > number);
        after.cloned().collect()
    }

    /// All behind a number, oldest first; `None` when some of them are not known any more.
    pub(crate) fn all_after(&self, number: u64) -> Option<Vec<Numbered<T>>> {
        let after = self.after(number);
        let first = after.first().map_or(self.last() + 1, |one| one.number);
        (number.checked_add(1) == Some(first)).then_some(after)
    }

    /// The first answer that looking at what is kept gives.
    pub(crate) fn find<R>(&self, look: impl FnMut(&T) -> Option<R>) -> Option<R> {
        locked(&self.kept)
            .iter()
            .map(|one| &one.item)
            .find_map(look)
    }

    /// The number of the last.
    pub(crate) fn last(&self) -> u64 {
        *self.last.borrow()
    }

    /// Tells when there is one more.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.last.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEPT: usize = 40;

    #[test]
    fn whoever_was_away_for_a_moment_misses_nothing() {
        let ring = Ring::new(KEPT, 5);
        let first = ring.last();
        ring.add(['a', 'b']);
        let after = ring.all_after(first).unwrap();
        let numbers: Vec<u64> = after.iter().map(|one| one.number).collect();
        assert_eq!(numbers, [first + 1, first + 2]);
        assert_eq!(ring.all_after(first + 2).unwrap().len(), 0);
        assert_eq!(ring.find(|item| (*item == 'b').then_some(7)), Some(7));
    }

    #[test]
    fn whoever_was_away_for_long_is_told_everything_anew() {
        let ring = Ring::new(KEPT, 5);
        let first = ring.last();
        assert!(ring.all_after(first - 1).is_none());
        for _ in 0..=KEPT {
            ring.add(['a']);
        }
        assert!(ring.all_after(first).is_none());
        assert!(ring.all_after(u64::MAX - 1).is_none());
        assert_eq!(ring.after(first).len(), KEPT);
    }
}
