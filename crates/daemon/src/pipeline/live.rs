//! How the flock changed lately: for the live stream, and for whoever was away for a moment.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use bellwether_flock::Change;
use tokio::sync::watch;

use crate::shared::locked;

/// So many changes are kept for whoever comes back.
const KEPT: usize = 4096;
/// Numbers begin with the time, in this many steps a millisecond: so a later daemon's are higher.
const STEPS: u64 = 1000;

/// A change with its place in the order.
#[derive(Debug, Clone)]
pub(crate) struct Numbered {
    /// Its place; what a later daemon tells has a higher one.
    pub number: u64,
    pub change: Arc<Change>,
}

pub(crate) struct Live {
    kept: Mutex<VecDeque<Numbered>>,
    last: watch::Sender<u64>,
}

impl Live {
    pub(crate) fn new(now_ms: u64) -> Self {
        Self {
            kept: Mutex::default(),
            last: watch::Sender::new(now_ms.saturating_mul(STEPS)),
        }
    }

    /// Tells changes to whoever listens.
    pub(crate) fn tell(&self, changes: Vec<Change>) {
        if changes.is_empty() {
            return;
        }
        let mut kept = locked(&self.kept);
        let mut number = *self.last.borrow();
        for change in changes {
            number += 1;
            if kept.len() >= KEPT {
                kept.pop_front();
            }
            kept.push_back(Numbered {
                number,
                change: Arc::new(change),
            });
        }
        drop(kept);
        self.last.send_replace(number);
    }

    /// Those behind a number, oldest first; `None` when some of them are not known any more, so that
    /// everything is to be told anew.
    pub(crate) fn after(&self, number: u64) -> Option<Vec<Numbered>> {
        let kept = locked(&self.kept);
        let oldest = kept
            .front()
            .map_or(*self.last.borrow() + 1, |one| one.number);
        if number + 1 < oldest || number > *self.last.borrow() {
            return None;
        }
        let after = kept.iter().filter(|one| one.number > number);
        Some(after.cloned().collect())
    }

    /// The number of the last change, now and whenever there is one more.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.last.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use bellwether_flock::{Flock, Foreign, intake};

    use super::*;

    fn change() -> Change {
        let row = intake(
            r#"{"hook_type":"SubagentStart","agent_name":"a"}"#,
            &Foreign::default(),
        )
        .row;
        Flock::default().apply(&row, row.at_ms).remove(0)
    }

    #[test]
    fn whoever_was_away_for_a_moment_misses_nothing() {
        let live = Live::new(5);
        let first = *live.subscribe().borrow();
        live.tell(vec![change(), change()]);
        let numbers: Vec<u64> = live
            .after(first)
            .unwrap()
            .iter()
            .map(|one| one.number)
            .collect();
        assert_eq!(numbers, [first + 1, first + 2]);
        assert_eq!(live.after(first + 2).unwrap().len(), 0);
    }

    #[test]
    fn whoever_was_away_for_long_is_told_everything_anew() {
        let live = Live::new(5);
        let first = *live.subscribe().borrow();
        assert!(live.after(first - 1).is_none());
        for _ in 0..=KEPT {
            live.tell(vec![change()]);
        }
        assert!(live.after(first).is_none());
        assert!(live.after(u64::MAX - 1).is_none());
    }
}
