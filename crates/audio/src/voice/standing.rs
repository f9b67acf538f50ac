//! Which engines failed lately, so that a line does not wait for them again.
//!
//! A failure is told once; the engine is asked again after a while, and told of again only once it
//! has spoken in between or fails for another reason.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::Lasting;

/// How long an engine is passed over after its first failure that lasts a while.
const A_WHILE: Duration = Duration::from_secs(30);
/// The longest that an engine is passed over, and for how long when somebody has to do something.
const LONGEST: Duration = Duration::from_mins(5);

/// How the engines of a chain stand.
#[derive(Debug, Default)]
pub(crate) struct Standing(Mutex<BTreeMap<&'static str, Failed>>);

#[derive(Debug)]
struct Failed {
    reason: String,
    until: Instant,
    times: u32,
}

/// Whether somebody is to be told.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// This is the first time.
    Told,
    /// It was told before.
    Known,
}

impl Standing {
    /// Why an engine is passed over at this moment, if it is.
    pub(crate) fn passed_over(&self, engine: &str, now: Instant) -> Option<String> {
        let failed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let failed = failed.get(engine).filter(|failed| now < failed.until);
        failed.map(|failed| failed.reason.clone())
    }

    pub(crate) fn failed(
        &self,
        engine: &'static str,
        lasting: Lasting,
        reason: String,
        now: Instant,
    ) -> News {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (times, news) = match all.get(engine) {
            Some(before) if before.reason == reason => (before.times + 1, News::Known),
            Some(before) => (before.times + 1, News::Told),
            None => (0, News::Told),
        };
        let pause = match lasting {
            Lasting::Line => Duration::ZERO,
            Lasting::While => (A_WHILE * 2u32.pow(times.min(4))).min(LONGEST),
            Lasting::UntilMended => LONGEST,
        };
        all.insert(
            engine,
            Failed {
                reason,
                until: now + pause,
                times,
            },
        );
        news
    }

    pub(crate) fn spoke(&self, engine: &str) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.remove(engine);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lasting_failure_is_told_once_and_tried_again_later() {
        let (standing, now) = (Standing::default(), Instant::now());
        let fails =
            |reason: &str, at| standing.failed("one", Lasting::UntilMended, reason.to_owned(), at);
        assert_eq!(fails("wrong key", now), News::Told);
        assert!(
            standing
                .passed_over("one", now)
                .unwrap()
                .contains("wrong key")
        );
        assert_eq!(standing.passed_over("two", now), None);
        let later = now + LONGEST;
        assert_eq!(standing.passed_over("one", later), None);
        assert_eq!(fails("wrong key", later), News::Known);
        assert_eq!(fails("no credit", later), News::Told);
        standing.spoke("one");
        assert_eq!(standing.passed_over("one", later), None);
        assert_eq!(fails("wrong key", later), News::Told);
    }

    #[test]
    fn a_passing_failure_is_waited_out_longer_each_time() {
        let (standing, now) = (Standing::default(), Instant::now());
        let late = || standing.failed("one", Lasting::While, "late".to_owned(), now);
        late();
        assert!(standing.passed_over("one", now + A_WHILE / 2).is_some());
        assert!(standing.passed_over("one", now + A_WHILE).is_none());
        late();
        assert!(standing.passed_over("one", now + A_WHILE).is_some());
        for _ in 0..40 {
            late();
        }
        assert!(standing.passed_over("one", now + LONGEST).is_none());
        standing.failed("two", Lasting::Line, "odd line".to_owned(), now);
        assert_eq!(standing.passed_over("two", now), None);
    }
}
