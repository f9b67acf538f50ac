//! How much senders other than the hook may write in a time: what they send shares a disk and a journal with what
//! the hooks have to say.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::shared::locked;

/// So many bytes a second may be written for long, which is more than the store takes.
const A_SECOND: u64 = 32 * 1024 * 1024;
/// So many at once after a rest: more than any one request makes.
const AT_ONCE: u64 = 64 * 1024 * 1024;

pub(crate) struct Pace(Mutex<Left>);

struct Left {
    bytes: u64,
    at: Instant,
}

impl Default for Pace {
    fn default() -> Self {
        Self(Mutex::new(Left {
            bytes: AT_ONCE,
            at: Instant::now(),
        }))
    }
}

impl Pace {
    /// Takes so many bytes, or says after how long they may be asked for again.
    pub(crate) fn take(&self, bytes: usize, now: Instant) -> Result<(), Duration> {
        let bytes = bytes as u64;
        let mut left = locked(&self.0);
        let passed = now.saturating_duration_since(left.at);
        let more = u64::try_from(passed.as_millis()).unwrap_or(u64::MAX);
        left.bytes = left
            .bytes
            .saturating_add(more.saturating_mul(A_SECOND / 1000))
            .min(AT_ONCE);
        left.at = now;
        if bytes <= left.bytes {
            left.bytes -= bytes;
            return Ok(());
        }
        Err(Duration::from_millis(
            (bytes - left.bytes) * 1000 / A_SECOND + 1,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_much_at_once_there_is_a_wait_and_then_some_more() {
        let pace = Pace::default();
        let now = Instant::now();
        let much = 20 * 1024 * 1024;
        for _ in 0..3 {
            pace.take(much, now).unwrap();
        }
        let wait = pace.take(much, now).unwrap_err();
        assert!(wait < Duration::from_secs(1), "{wait:?}");
        pace.take(much, now + wait).unwrap();
        assert!(pace.take(1024, now + Duration::from_hours(1)).is_ok());
        assert!(
            pace.take(much * 4, now + Duration::from_hours(1)).is_err(),
            "a rest is not saved up"
        );
    }
}
