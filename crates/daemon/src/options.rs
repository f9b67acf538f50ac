//! How a daemon is to run.

use std::os::fd::RawFd;
use std::time::Duration;

use bellwether_config::Config;
use bellwether_flock::Retention;

/// How a daemon is to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The port of the page, on the loopback address; `None` for none.
    pub port: Option<u16>,
    /// How long to stay without anything to do.
    pub idle_exit: Duration,
    /// A descriptor that holds the lock already, from whoever started this process.
    pub lock_fd: Option<RawFd>,
    /// How long events are kept.
    pub retention: Retention,
}

impl From<&Config> for Options {
    fn from(config: &Config) -> Self {
        let daemon = &config.daemon;
        Self {
            port: (daemon.port > 0).then_some(daemon.port),
            idle_exit: Duration::from_secs(daemon.idle_exit.into()),
            lock_fd: None,
            retention: config.store.clone(),
        }
    }
}

impl Options {
    /// The command line that says the same; the lock has its own.
    pub(crate) fn to_arguments(&self) -> Vec<String> {
        vec![
            "--port".into(),
            self.port.unwrap_or(0).to_string(),
            "--idle-exit".into(),
            self.idle_exit.as_secs_f64().to_string(),
        ]
    }
}
