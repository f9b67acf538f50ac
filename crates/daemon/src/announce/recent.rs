//! What was announced lately, and what was not: for `bellwether announce`, and for whoever waits.

use std::sync::atomic::{AtomicU64, Ordering};

use bellwether_announce::Outcome;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::ring::{Numbered, Ring};

/// How many are kept.
const KEPT: usize = 200;

/// What came of one event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// Its place in the order in which this daemon decided.
    pub number: u64,
    /// When the event happened, in milliseconds since 1970.
    pub at_ms: u64,
    pub event: String,
    pub session: String,
    /// The handler that it concerned.
    pub handler: Option<String>,
    /// What came of it; its words are masked and sanitised.
    pub outcome: Outcome,
}

pub(crate) struct Recent {
    kept: Ring<Decided>,
    announced: AtomicU64,
}

impl Default for Recent {
    fn default() -> Self {
        Self {
            kept: Ring::new(KEPT, 0),
            announced: AtomicU64::new(0),
        }
    }
}

impl Recent {
    /// Keeps one more, and gives it its number.
    pub(crate) fn keep(&self, decided: Decided) {
        if matches!(decided.outcome, Outcome::Said(_)) {
            self.announced.fetch_add(1, Ordering::Relaxed);
        }
        self.kept.add([decided]);
    }

    /// Those behind a number, oldest first.
    pub(crate) fn after(&self, number: u64) -> Vec<Decided> {
        let numbered = |Numbered { number, item }| Decided { number, ..item };
        self.kept.after(number).into_iter().map(numbered).collect()
    }

    /// The number of the last.
    pub(crate) fn last(&self) -> u64 {
        self.kept.last()
    }

    /// Tells when there is one more.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.kept.subscribe()
    }

    /// How many announcements were made.
    pub(crate) fn announced(&self) -> u64 {
        self.announced.load(Ordering::Relaxed)
    }
}
