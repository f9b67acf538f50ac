//! What is said when the hook fails while a tool call is being judged: not nothing, for that would let it
//! happen.

use std::sync::atomic::{AtomicU8, Ordering};

use bellwether_protocol::reply::{Decision, Reply};

/// What stands in for a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Fallback {
    /// Nothing is being judged, or nothing is against it.
    Silence,
    /// The person is asked.
    Ask,
    /// It is refused: nobody can be asked.
    Deny,
}

impl Fallback {
    /// As the client is told when we fail.
    pub(crate) fn reply(self) -> Option<Reply> {
        self.saying("bellwether failed while checking this")
    }

    /// As the client is told when the time is up.
    pub(crate) fn late(self) -> Option<Reply> {
        self.saying("bellwether could not find out in time what this would do")
    }

    fn saying(self, why: &str) -> Option<Reply> {
        let why = why.to_owned();
        let decision = match self {
            Self::Silence => return None,
            Self::Ask => Decision::Ask(why),
            Self::Deny => Decision::Deny(why + ", and nobody can be asked now"),
        };
        Some(Reply {
            decision: Some(decision),
            ..Reply::default()
        })
    }
}

static NOW: AtomicU8 = AtomicU8::new(Fallback::Silence as u8);

/// What is said from now on.
pub(crate) fn set(fallback: Fallback) {
    NOW.store(fallback as u8, Ordering::Release);
}

/// What is to be said now; after that nothing more is.
pub(crate) fn take() -> Fallback {
    match NOW.swap(Fallback::Silence as u8, Ordering::AcqRel) {
        now if now == Fallback::Ask as u8 => Fallback::Ask,
        now if now == Fallback::Deny as u8 => Fallback::Deny,
        _ => Fallback::Silence,
    }
}
