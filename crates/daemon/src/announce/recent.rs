//! What was announced lately, and what was not: for whoever waits, and on its way into the store.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use bellwether_announce::Outcome;
use bellwether_flock::Decision;
use bellwether_spine::clock;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::pipeline::Asker;
use crate::ring::{Numbered, Ring};
use crate::shared::locked;

/// How many are kept here.
const KEPT: usize = 200;
/// So many may wait to be stored; of more, what was not said is passed over.
const UNSAVED: usize = 512;

/// What came of one event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// Its place in the order of decisions.
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

impl Decided {
    pub fn is_said(&self) -> bool {
        matches!(self.outcome, Outcome::Said(_))
    }

    /// One that was stored; `None` when another version wrote it and we cannot read it.
    pub fn stored(decision: &Decision) -> Option<Self> {
        let decided: Self = serde_json::from_str(&decision.body).ok()?;
        let number = decision.number;
        Some(Self { number, ..decided })
    }

    fn to_store(&self) -> Option<Decision> {
        Some(Decision {
            number: self.number,
            at_ms: self.at_ms,
            session: self.session.clone(),
            said: self.is_said(),
            body: serde_json::to_string(self).ok()?,
        })
    }
}

pub(crate) struct Recent {
    kept: Ring<Decided>,
    announced: AtomicU64,
    /// What is not in the store yet.
    unsaved: Mutex<Vec<Decision>>,
    store: OnceLock<Asker>,
}

impl Default for Recent {
    fn default() -> Self {
        Self {
            // Numbers begin with the time, so that a later daemon's are higher.
            kept: Ring::new(KEPT, clock::wall_ms()),
            announced: AtomicU64::new(0),
            unsaved: Mutex::default(),
            store: OnceLock::new(),
        }
    }
}

impl Recent {
    /// Says who has decisions stored.
    pub(crate) fn store_by(&self, asker: Asker) {
        let _ = self.store.set(asker);
    }

    /// Keeps one more, and gives it its number. What is said is stored soon; what is not, with the next events.
    pub(crate) fn keep(&self, decided: Decided) {
        let said = decided.is_said();
        // Held all along, so that no other decision gets the number.
        let mut unsaved = locked(&self.unsaved);
        let number = self.kept.last() + 1;
        let decided = Decided { number, ..decided };
        if make_room(&mut unsaved, said) {
            unsaved.extend(decided.to_store());
        }
        self.kept.add([decided]);
        drop(unsaved);
        if said {
            self.announced.fetch_add(1, Ordering::Relaxed);
            if let Some(asker) = self.store.get() {
                asker.keep();
            }
        }
    }

    /// What is to be stored, the oldest first.
    pub(crate) fn take_unsaved(&self) -> Vec<Decision> {
        std::mem::take(&mut *locked(&self.unsaved))
    }

    /// Those behind a number, oldest first.
    pub(crate) fn after(&self, number: u64) -> Vec<Decided> {
        let item = |Numbered { item, .. }| item;
        self.kept.after(number).into_iter().map(item).collect()
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

/// Whether there is room for one more; something that was said takes the place of something that was not.
fn make_room(unsaved: &mut Vec<Decision>, said: bool) -> bool {
    if unsaved.len() < UNSAVED {
        return true;
    }
    if said {
        let silent = unsaved.iter().position(|decision| !decision.said);
        unsaved.remove(silent.unwrap_or_default());
    }
    said
}

#[cfg(test)]
mod tests {
    use bellwether_announce::{Announcement, Priority, Silence};

    use super::*;

    fn decided(outcome: Outcome) -> Decided {
        Decided {
            number: 0,
            at_ms: 5,
            event: "Stop".to_owned(),
            session: "s".to_owned(),
            handler: Some("stop".to_owned()),
            outcome,
        }
    }

    fn said(text: &str) -> Decided {
        decided(Outcome::Said(Box::new(Announcement {
            event: "Stop".to_owned(),
            handler: "stop".to_owned(),
            text: text.to_owned(),
            sound: None,
            voice: None,
            priority: Priority::Done,
            at_ms: 5,
            time_to_live_ms: 1,
            session: "s".to_owned(),
            agent: None,
            project: None,
            count: 1,
            seat: None,
        })))
    }

    #[test]
    fn what_is_kept_can_be_stored_and_read_again() {
        let recent = Recent::default();
        recent.keep(said("Done."));
        recent.keep(decided(Outcome::Silent(Silence::TooLate)));
        let unsaved = recent.take_unsaved();
        let read: Vec<Decided> = unsaved.iter().filter_map(Decided::stored).collect();
        assert_eq!(read, recent.after(0));
        assert_eq!(read.len(), 2);
        assert_eq!(read[1].number, recent.last());
        assert!(recent.take_unsaved().is_empty());
    }

    #[test]
    fn what_waits_to_be_stored_is_bounded_and_silence_goes_first() {
        let recent = Recent::default();
        for _ in 0..UNSAVED {
            recent.keep(decided(Outcome::Silent(Silence::TooLate)));
        }
        recent.keep(decided(Outcome::Silent(Silence::Merged)));
        recent.keep(said("Done."));
        let unsaved = recent.take_unsaved();
        assert_eq!(unsaved.len(), UNSAVED);
        assert!(unsaved[UNSAVED - 1].said);
    }
}
