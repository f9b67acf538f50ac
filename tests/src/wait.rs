//! Waiting for something that cannot wake us: a screen, a file another process appends to, the end of a stranger.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

const PAUSE: Duration = Duration::from_millis(50);

/// Asks until there is an answer; `None` when the time is over.
pub fn until<T>(
    patience: Duration,
    mut ask: impl FnMut() -> Result<Option<T>>,
) -> Result<Option<T>> {
    let deadline = Instant::now() + patience;
    loop {
        if let Some(answer) = ask()? {
            return Ok(Some(answer));
        }
        if Instant::now() >= deadline {
            return Ok(None);
        }
        thread::sleep(PAUSE);
    }
}
