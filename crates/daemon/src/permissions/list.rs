//! Every request that waits, and who watches.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use bellwether_spine::clock;
use bellwether_spine::permission::{Asked, Told};
use tokio::sync::{oneshot, watch};

use super::change::{Change, How};
use super::place::Place;
use super::waiting::{Request, Waiting};
use crate::ring::Ring;
use crate::shared::locked;

/// More requests than this do not wait.
const MOST: usize = 64;
/// So many changes are kept for whoever listens.
const KEPT: usize = 512;
/// So many requests' own events are remembered: one may be stored before its hook has asked.
const OWN: usize = 128;

/// Why somebody's answer does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unanswerable {
    /// There never was such a request, or it was long ago.
    Unknown,
    /// It is settled already.
    Settled(How),
    /// Only the terminal can answer it.
    InTerminal,
}

pub(crate) struct Permissions {
    pub(super) list: Mutex<List>,
    /// What changed lately.
    pub(crate) changes: Ring<Change>,
    watching: watch::Sender<usize>,
}

#[derive(Default)]
pub(super) struct List {
    pub waiting: Vec<Waiting>,
    /// The ids of requests' own events that were stored lately.
    pub own: VecDeque<String>,
}

impl Default for Permissions {
    fn default() -> Self {
        Self {
            list: Mutex::default(),
            changes: Ring::new(KEPT, 0),
            watching: watch::Sender::new(0),
        }
    }
}

impl Permissions {
    /// Has a request wait; `None` when nobody would see it. One that only the terminal can answer is shown, and not
    /// waited for.
    pub(super) fn begin(
        &self,
        asked: Asked,
        place: Place,
    ) -> Option<(Arc<Request>, oneshot::Receiver<Told>)> {
        if *self.watching.borrow() == 0 {
            return None;
        }
        let mut list = locked(&self.list);
        let is_known = |waiting: &Waiting| waiting.request.asked.id == asked.id;
        // Those that nobody waits for make room.
        let is_shown = |waiting: &Waiting| waiting.request.place == Place::Terminal;
        if list.waiting.len() >= MOST
            && let Some(oldest) = list.waiting.iter().position(is_shown)
        {
            let gone = list.waiting.remove(oldest).request.asked.id.clone();
            self.changes.add([Change::Settled(gone, How::Gone)]);
        }
        if list.waiting.len() >= MOST || list.waiting.iter().any(is_known) {
            return None;
        }
        let (back, told) = oneshot::channel();
        let request = Arc::new(Request::new(asked, place, clock::wall_ms()));
        let is_held = place == Place::Both;
        let stored = list.own.contains(&request.asked.id);
        list.waiting.push(Waiting {
            request: Arc::clone(&request),
            stored,
            back: is_held.then_some(back),
        });
        self.changes.add([Change::Began(Arc::clone(&request))]);
        is_held.then_some((request, told))
    }

    /// Takes a request out that somebody answers on the page.
    pub(crate) fn take_to_answer(&self, id: &str) -> Result<Waiting, Unanswerable> {
        let waiting = self.take(id)?;
        if waiting.request.place == Place::Terminal {
            self.put_back(waiting);
            return Err(Unanswerable::InTerminal);
        }
        Ok(waiting)
    }

    /// Takes a request out, so that nobody else can settle it.
    pub(super) fn take(&self, id: &str) -> Result<Waiting, Unanswerable> {
        let mut list = locked(&self.list);
        let is_it = |waiting: &Waiting| waiting.request.asked.id == id;
        if let Some(at) = list.waiting.iter().position(is_it) {
            return Ok(list.waiting.remove(at));
        }
        let settled = self.changes.find(|change| match change {
            Change::Settled(settled, how) if settled == id => Some(Unanswerable::Settled(*how)),
            _ => None,
        });
        Err(settled.unwrap_or(Unanswerable::Unknown))
    }

    /// Puts back what was taken out.
    pub(crate) fn put_back(&self, waiting: Waiting) {
        locked(&self.list).waiting.push(waiting);
    }

    /// Tells the hook of a request that was taken out; false when that has gone meanwhile.
    pub(crate) fn finish(&self, waiting: Waiting, told: Told, how: How) -> bool {
        let heard = waiting.back.is_none_or(|back| back.send(told).is_ok());
        let how = if heard { how } else { How::Gone };
        let id = waiting.request.asked.id.clone();
        self.changes.add([Change::Settled(id, how)]);
        heard
    }

    /// Settles a request without an answer; false when somebody else has it.
    pub(super) fn release(&self, id: &str, how: How) -> bool {
        self.take(id)
            .is_ok_and(|waiting| self.finish(waiting, Told::Released, how))
    }

    /// Everything that waits, oldest first.
    pub(crate) fn waiting(&self) -> Vec<Arc<Request>> {
        let list = locked(&self.list);
        let requests = list.waiting.iter().map(|waiting| &waiting.request);
        requests.cloned().collect()
    }

    /// Remembers that a request's own event was stored.
    pub(super) fn remember(list: &mut List, id: String) {
        if list.own.len() >= OWN {
            list.own.pop_front();
        }
        list.own.push_back(id);
    }

    /// How many watch, now and whenever that changes.
    pub(super) fn watched(&self) -> watch::Receiver<usize> {
        self.watching.subscribe()
    }

    /// Somebody watches, for as long as this is kept.
    pub(crate) fn watch(self: &Arc<Self>) -> Watching {
        self.watching.send_modify(|count| *count += 1);
        Watching(Arc::clone(self))
    }
}

pub(crate) struct Watching(Arc<Permissions>);

impl Drop for Watching {
    fn drop(&mut self) {
        self.0
            .watching
            .send_modify(|count| *count = count.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(id: &str) -> Asked {
        Asked {
            id: id.into(),
            session: Some("s".into()),
            wait_ms: 1_000,
            ..Asked::default()
        }
    }

    #[test]
    fn a_request_waits_only_while_somebody_watches() {
        let permissions = Arc::new(Permissions::default());
        assert!(permissions.begin(asked("a"), Place::Both).is_none());
        let watching = permissions.watch();
        let (request, _told) = permissions.begin(asked("a"), Place::Both).unwrap();
        assert_eq!(request.agent, "s");
        assert_eq!(request.until_ms, request.since_ms + 1_000);
        assert!(
            permissions.begin(asked("a"), Place::Both).is_none(),
            "it waits already"
        );
        drop(watching);
        assert!(permissions.begin(asked("b"), Place::Both).is_none());
        assert_eq!(permissions.waiting().len(), 1);
    }

    #[test]
    fn the_first_answer_counts_and_the_second_hears_of_it() {
        let permissions = Arc::new(Permissions::default());
        let _watching = permissions.watch();
        let (_, mut told) = permissions.begin(asked("a"), Place::Both).unwrap();
        let waiting = permissions.take("a").unwrap();
        assert!(permissions.finish(waiting, Told::Allowed, How::Allowed));
        assert_eq!(told.try_recv().unwrap(), Told::Allowed);
        let second = permissions.take("a").err();
        assert_eq!(second, Some(Unanswerable::Settled(How::Allowed)));
        assert_eq!(permissions.take("b").err(), Some(Unanswerable::Unknown));
        assert!(!permissions.release("a", How::Expired));
        let changes = permissions.changes.after(0);
        let names: Vec<u64> = changes.iter().map(|one| one.number).collect();
        assert_eq!(names, [1, 2]);
    }

    #[test]
    fn what_was_put_back_can_be_answered_and_one_who_has_gone_is_said() {
        let permissions = Arc::new(Permissions::default());
        let _watching = permissions.watch();
        let (_, told) = permissions.begin(asked("a"), Place::Both).unwrap();
        permissions.put_back(permissions.take("a").unwrap());
        drop(told);
        let waiting = permissions.take("a").unwrap();
        assert!(!permissions.finish(waiting, Told::Allowed, How::Allowed));
        let refused = permissions.take("a").err();
        assert_eq!(refused, Some(Unanswerable::Settled(How::Gone)));
    }

    #[test]
    fn no_more_wait_than_there_is_room_for() {
        let permissions = Arc::new(Permissions::default());
        let _watching = permissions.watch();
        let all: Vec<_> = (0..=MOST)
            .map(|number| permissions.begin(asked(&number.to_string()), Place::Both))
            .collect();
        assert!(all[MOST - 1].is_some() && all[MOST].is_none());
    }
}
