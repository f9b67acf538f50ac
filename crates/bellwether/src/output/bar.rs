//! How far reading is, on stderr: only for a person who waits.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// What ends sooner shows nothing.
const PATIENCE: Duration = Duration::from_millis(700);
const EVERY: Duration = Duration::from_millis(80);
const WIDTH: u64 = 30;

pub(crate) struct Bar {
    what: &'static str,
    total: u64,
    done: u64,
    /// When it may be drawn next; `None` when nobody looks.
    next: Option<Instant>,
    drawn: bool,
}

impl Bar {
    /// One for so many bytes.
    pub(crate) fn new(what: &'static str, total: u64) -> Self {
        let watched = std::io::stderr().is_terminal();
        Self {
            what,
            total,
            done: 0,
            next: watched.then(|| Instant::now() + PATIENCE),
            drawn: false,
        }
    }

    pub(crate) fn add(&mut self, bytes: u64) {
        self.done += bytes;
        let now = Instant::now();
        if self.next.is_some_and(|next| now >= next) {
            self.next = Some(now + EVERY);
            self.drawn = true;
            let mut out = std::io::stderr().lock();
            let _ = write!(out, "\r{}", self.line()).and_then(|()| out.flush());
        }
    }

    fn line(&self) -> String {
        let total = self.total.max(1);
        let done = self.done.min(total);
        let full = usize::try_from(done * WIDTH / total).unwrap_or(0);
        let empty = usize::try_from(WIDTH).unwrap_or(0) - full;
        let (bar, rest) = ("█".repeat(full), "░".repeat(empty));
        format!("{} {bar}{rest} {:3} %", self.what, done * 100 / total)
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if self.drawn {
            let mut out = std::io::stderr().lock();
            let _ = write!(out, "\r\u{1b}[K").and_then(|()| out.flush());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_fills_and_never_overflows() {
        let mut bar = Bar {
            next: None,
            ..Bar::new("reading", 200)
        };
        bar.add(100);
        assert!(bar.line().ends_with("  50 %") && bar.line().matches('█').count() == 15);
        bar.add(500);
        assert!(bar.line().ends_with(" 100 %") && !bar.line().contains('░'));
    }
}
