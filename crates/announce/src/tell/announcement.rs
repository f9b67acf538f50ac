//! One announcement, ready for whoever makes it heard.

use bellwether_spine::meta::Seat;
use serde::{Deserialize, Serialize};

use crate::{Sound, Voice};

/// How long somebody who is asked is waited for: the client's own patience with a hook.
const UNTIL_ANSWERED_MS: u64 = 10 * 60 * 1000;

/// How much an announcement matters, the most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// Somebody waits for an answer: a permission, a question.
    Question,
    Failure,
    Done,
    /// Something to know.
    Info,
}

impl Priority {
    /// How old an announcement may be when it is made, in milliseconds. What waits for an answer is
    /// in time until it is answered, or until nobody can be waiting any more.
    pub fn time_to_live_ms(self) -> u64 {
        match self {
            Self::Question => UNTIL_ANSWERED_MS,
            Self::Failure => 60_000,
            Self::Done => 45_000,
            Self::Info => 15_000,
        }
    }
}

/// One announcement. Its words are masked and sanitised.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Announcement {
    /// The event that it tells of.
    pub event: String,
    pub handler: String,
    pub text: String,
    /// The effect; none when missing.
    pub sound: Option<Sound>,
    /// The voice; the words are not spoken when it is missing.
    pub voice: Option<Voice>,
    pub priority: Priority,
    /// When what it tells happened, in milliseconds since 1970.
    pub at_ms: u64,
    /// How long after that it may be made.
    pub time_to_live_ms: u64,
    /// The session that it is about.
    pub session: String,
    /// The subagent that it is about.
    pub agent: Option<String>,
    /// The project that it is about.
    pub project: Option<String>,
    /// How many moments it tells: more than one when several were merged.
    pub count: u32,
    /// Where it is to be heard, if that is known.
    #[serde(skip)]
    pub seat: Option<Seat<'static>>,
}

impl Announcement {
    /// Whether it comes too late.
    pub fn is_late(&self, now_ms: u64) -> bool {
        now_ms.saturating_sub(self.at_ms) > self.time_to_live_ms
    }
}
