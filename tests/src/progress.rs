//! A line every few seconds, so that a long run is seen to live.

use std::time::{Duration, Instant};

/// How often a line is printed.
const EVERY: Duration = Duration::from_secs(3);

/// Prints how a long run goes on.
pub struct Progress {
    name: &'static str,
    last: Instant,
}

impl Progress {
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            last: Instant::now(),
        }
    }

    /// Says how it stands, if it is time to.
    pub fn tick(&mut self, standing: impl FnOnce() -> String) {
        if self.last.elapsed() >= EVERY {
            self.last = Instant::now();
            eprintln!("  {}: {}", self.name, standing());
        }
    }
}
