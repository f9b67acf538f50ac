//! What ends a run before its checks have ended.

use std::fs::File;
use std::io::Read as _;
use std::os::fd::AsFd as _;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Why a run ends early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The deadline has come.
    Late,
    /// Whoever waited for the answer has gone.
    Alone,
}

/// Until when a run may go on.
#[derive(Debug, Default)]
pub struct Limits {
    end: Option<Instant>,
    /// A pipe that ends with whoever waits for the answer.
    parent: Option<File>,
}

impl Limits {
    /// A run that must end in time, that ends with the other side of a pipe, or neither.
    pub fn new(end: Option<Instant>, parent: Option<File>) -> Self {
        Self { end, parent }
    }

    /// Why it must end now, if it must.
    pub(crate) fn stop(&self) -> Option<Stop> {
        if self.parent.as_ref().is_some_and(has_gone) {
            return Some(Stop::Alone);
        }
        let late = self.end.is_some_and(|end| Instant::now() >= end);
        late.then_some(Stop::Late)
    }

    /// The pipe, to wake up when it ends.
    pub(crate) fn parent(&self) -> Option<&File> {
        self.parent.as_ref()
    }

    /// How long one may wait before looking again.
    pub(crate) fn patience(&self, most: Duration) -> Duration {
        let left = self
            .end
            .map(|end| end.saturating_duration_since(Instant::now()));
        left.map_or(most, |left| left.min(most))
    }
}

/// Whether the other side of a pipe is closed. What is said on it has no meaning.
fn has_gone(mut pipe: &File) -> bool {
    let at_once = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let polled = &mut [PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN)];
    if !matches!(poll(polled, Some(&at_once)), Ok(1..)) {
        return false;
    }
    matches!(pipe.read(&mut [0; 256]), Ok(0))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::os::fd::OwnedFd;

    use super::*;

    #[test]
    fn a_run_ends_with_its_pipe() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let limits = Limits::new(None, Some(File::from(OwnedFd::from(reader))));
        assert_eq!(limits.stop(), None);
        writer.write_all(b"still here").unwrap();
        assert_eq!(limits.stop(), None);
        drop(writer);
        assert_eq!(limits.stop(), Some(Stop::Alone));
    }

    #[test]
    fn a_run_ends_at_its_deadline() {
        let limits = Limits::new(Some(Instant::now()), None);
        assert_eq!(limits.stop(), Some(Stop::Late));
        assert_eq!(limits.patience(Duration::from_secs(1)), Duration::ZERO);
        assert_eq!(Limits::default().stop(), None);
    }
}
