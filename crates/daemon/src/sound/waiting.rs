//! Announcements between the thread that decides and the one that makes them heard.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};
use std::time::Instant;

use bellwether_announce::language::Words;
use bellwether_announce::{Announcement, Popped, Pushed, Queue};
use bellwether_audio::Stop;

use super::Trial;
use crate::shared::locked;

/// More trials than this do not wait.
const TRIALS: usize = 4;

/// Announcements that wait to be heard.
#[derive(Default)]
pub(crate) struct SoundQueue {
    state: Mutex<Pending>,
    changed: Condvar,
    stop: Stop,
}

#[derive(Default)]
struct Pending {
    queue: Queue,
    trials: VecDeque<Trial>,
    /// Whether more of a backlog is to be heard of before anything is said.
    is_held: bool,
    is_over: bool,
}

/// What there is to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    Speak,
    /// The time that was given is up.
    Rest,
    /// Nothing will come any more.
    End,
}

impl SoundQueue {
    pub(crate) fn push(&self, announcement: Announcement, words: &'static Words) -> Pushed {
        locked(&self.state).queue.push(announcement, words)
    }

    /// Drops all of a session.
    pub(crate) fn cancel(&self, session: &str) {
        locked(&self.state).queue.cancel(session);
    }

    /// Drops the questions of an agent.
    pub(crate) fn answered(&self, session: &str, agent: Option<&str>) {
        locked(&self.state).queue.answered(session, agent);
    }

    /// Whether somebody in it waits for an answer.
    pub(crate) fn has_question(&self) -> bool {
        locked(&self.state).queue.has_question()
    }

    /// Holds everything back while an event may follow that settles it.
    pub(crate) fn hold(&self) {
        locked(&self.state).is_held = true;
    }

    /// Lets what has come together be heard.
    pub(crate) fn release(&self) {
        locked(&self.state).is_held = false;
        self.changed.notify_all();
    }

    /// Lets the person hear something once nothing else waits; false when too many wait for that.
    pub(crate) fn try_out(&self, trial: Trial) -> bool {
        let mut state = locked(&self.state);
        if state.trials.len() >= TRIALS {
            return false;
        }
        state.trials.push_back(trial);
        self.changed.notify_all();
        true
    }

    /// The next trial that somebody still waits for.
    pub(crate) fn trial(&self) -> Option<Trial> {
        let mut state = locked(&self.state);
        loop {
            let trial = state.trials.pop_front()?;
            if !trial.answer.is_closed() {
                return Some(trial);
            }
        }
    }

    /// Nothing more is to be heard, and what is being heard ends.
    pub(crate) fn end(&self) {
        self.stop.now();
        let mut state = locked(&self.state);
        state.is_over = true;
        state.trials.clear();
        drop(state);
        self.changed.notify_all();
    }

    /// The wish that what is being heard end.
    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Waits until there is something to do.
    pub(crate) fn turn(&self, until: Option<Instant>) -> Turn {
        let mut state = locked(&self.state);
        loop {
            if state.is_over {
                return Turn::End;
            }
            if (!state.is_held && !state.queue.is_empty()) || !state.trials.is_empty() {
                return Turn::Speak;
            }
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            state = match left {
                Some(left) if left.is_zero() => return Turn::Rest,
                Some(left) => {
                    let waited = self.changed.wait_timeout(state, left);
                    waited.unwrap_or_else(std::sync::PoisonError::into_inner).0
                }
                None => self
                    .changed
                    .wait(state)
                    .unwrap_or_else(std::sync::PoisonError::into_inner),
            };
        }
    }

    /// The next one, and what else leaves the queue with it.
    pub(crate) fn next(&self, now_ms: u64) -> Popped {
        let mut state = locked(&self.state);
        if state.is_held {
            return Popped::default();
        }
        state.queue.pop(now_ms)
    }
}
