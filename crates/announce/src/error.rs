//! The one error type of this crate.

use std::io;
use std::path::PathBuf;

use bellwether_spine::SpineError;

/// What can keep a transcript from being read, or a mute from being kept.
#[derive(Debug, thiserror::Error)]
pub enum AnnounceError {
    /// A path in a payload that is not a transcript.
    #[error("{} is not read: {why}", path.display())]
    Foreign {
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The system refused.
    #[error("cannot read {}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// A file of ours could not be written.
    #[error(transparent)]
    Ours(#[from] SpineError),
}
