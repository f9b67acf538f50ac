//! The one error type of this crate.

use std::io;
use std::path::PathBuf;

use bellwether_spine::SpineError;

/// What can keep a daemon from running, or a CLI from talking to it.
#[derive(Debug, thiserror::Error)]
pub enum DaemonError {
    /// Another daemon serves this home.
    #[error("another daemon is running for {}", home.display())]
    AlreadyRunning {
        /// The state folder concerned.
        home: PathBuf,
    },
    /// A file or folder of ours is not usable.
    #[error(transparent)]
    Spine(#[from] SpineError),
    /// A socket could not be bound, or the runtime not built.
    #[error("cannot {action}: {source}")]
    System {
        action: &'static str,
        source: io::Error,
    },
    /// The daemon answered something that is not an answer.
    #[error("the daemon's answer cannot be read: {0}")]
    Answer(String),
    /// The daemon could not do what it was asked to.
    #[error("the daemon says: {0}")]
    Refused(String),
}

impl DaemonError {
    pub(crate) fn system(action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::System { action, source }
    }
}
