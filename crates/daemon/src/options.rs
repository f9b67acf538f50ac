//! How a daemon is to run.

use std::os::fd::RawFd;
use std::time::Duration;

/// The port that clients of the page and of the collector expect.
pub const DEFAULT_PORT: u16 = 4820;
/// A daemon that has nothing to do for this long goes; the next event starts one again.
const DEFAULT_IDLE: Duration = Duration::from_hours(1);

/// How a daemon is to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The port of the page, on the loopback address; `None` for none.
    pub port: Option<u16>,
    /// How long to stay without anything to do.
    pub idle_exit: Duration,
    /// A descriptor that holds the lock already, from whoever started this process.
    pub lock_fd: Option<RawFd>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            port: Some(DEFAULT_PORT),
            idle_exit: DEFAULT_IDLE,
            lock_fd: None,
        }
    }
}

impl Options {
    /// The command line that says the same; the lock has its own.
    pub fn to_arguments(&self) -> Vec<String> {
        vec![
            "--port".into(),
            self.port.unwrap_or(0).to_string(),
            "--idle-exit".into(),
            self.idle_exit.as_secs_f64().to_string(),
        ]
    }
}
