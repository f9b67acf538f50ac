//! What is remembered of a session between its events.

use std::collections::HashMap;

use super::Markers;

/// Permission requests, or refusals, that come so close together are one moment.
const BURST_MS: u64 = 2_000;
/// An idle agent is not told of so soon after the end of its turn was.
const IDLE_AFTER_STOP_MS: u64 = 90_000;
/// What is told of an agent so soon after its end is the same end.
const SAME_END_MS: u64 = 10_000;
/// The client tells of an idle teammate again and again.
const IDLE_TEAMMATE_MS: u64 = 60_000;

#[derive(Debug, Default)]
pub(crate) struct Session {
    /// When something last happened in it.
    pub touched_ms: u64,
    /// What it was told of in the last minute.
    pub markers: Markers,
    turn_began_ms: Option<u64>,
    /// When leave was last asked for.
    requested_ms: Option<u64>,
    /// When something was last refused.
    refused_ms: Option<u64>,
    /// The question that was last told. A question may wait for longer than any marker lives, and
    /// what tells of it again comes when it has been answered.
    asked: Option<String>,
    /// When the end of a turn, or its failure, was last spoken.
    stop_spoken_ms: Option<u64>,
    /// When the end of a subagent was last told.
    subagent_told_ms: Option<u64>,
    /// When each teammate was last told of as idle.
    idle: HashMap<String, u64>,
    /// When the end of each agent was last told, by its name.
    ended: HashMap<String, u64>,
}

impl Session {
    /// A turn begins. What the person typed ends every moment before it.
    pub(crate) fn begin_turn(&mut self, now_ms: u64, typed: bool) {
        self.turn_began_ms = Some(now_ms);
        if typed {
            self.markers = Markers::default();
            self.requested_ms = None;
            self.asked = None;
            self.stop_spoken_ms = None;
        }
    }

    /// How long the turn has taken; unknown when its beginning was not seen.
    pub(crate) fn turn_ms(&self, now_ms: u64) -> Option<u64> {
        Some(now_ms.saturating_sub(self.turn_began_ms?))
    }

    /// Leave is asked for; true when that belongs to the same moment as the time before.
    pub(crate) fn request(&mut self, now_ms: u64) -> bool {
        is_recent(self.requested_ms.replace(now_ms), now_ms, BURST_MS)
    }

    /// The guard refuses something; true when that belongs to the same moment as the time before.
    pub(crate) fn refused(&mut self, now_ms: u64) -> bool {
        let before = self.refused_ms.replace(now_ms);
        before.is_some_and(|before| now_ms.saturating_sub(before) <= BURST_MS)
    }

    /// A question is told; true when it was told already.
    pub(crate) fn ask(&mut self, question: &str) -> bool {
        self.asked
            .replace(question.to_owned())
            .is_some_and(|before| before == question)
    }

    /// The end of a turn was spoken, or that it failed.
    pub(crate) fn stop_spoken(&mut self, now_ms: u64) {
        self.stop_spoken_ms = Some(now_ms);
    }

    /// Whether that was a moment ago.
    pub(crate) fn has_just_stopped(&self, now_ms: u64) -> bool {
        is_recent(self.stop_spoken_ms, now_ms, IDLE_AFTER_STOP_MS)
    }

    /// The end of a subagent is told; true when one was told within `window_ms`.
    pub(crate) fn subagent_stopped(&mut self, now_ms: u64, window_ms: u64) -> bool {
        let merged = window_ms > 0 && is_recent(self.subagent_told_ms, now_ms, window_ms);
        if !merged {
            self.subagent_told_ms = Some(now_ms);
        }
        merged
    }

    /// An agent of that name has ended; true when it was told a moment ago that it is idle.
    pub(crate) fn agent_ended(&mut self, name: &str, now_ms: u64) -> bool {
        self.ended.insert(name.to_owned(), now_ms);
        is_recent(self.idle.get(name).copied(), now_ms, SAME_END_MS)
    }

    /// A teammate is idle; true when that, or its end, was told a moment ago.
    pub(crate) fn teammate_idle(&mut self, name: &str, now_ms: u64) -> bool {
        let before = self.idle.insert(name.to_owned(), now_ms);
        is_recent(before, now_ms, IDLE_TEAMMATE_MS)
            || is_recent(self.ended.get(name).copied(), now_ms, SAME_END_MS)
    }
}

fn is_recent(at_ms: Option<u64>, now_ms: u64, window_ms: u64) -> bool {
    at_ms.is_some_and(|at_ms| now_ms.saturating_sub(at_ms) <= window_ms)
}
