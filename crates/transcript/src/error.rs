//! The one error type of this crate.

use std::io;
use std::path::{Path, PathBuf};

/// What can keep a transcript from being read, found or written down.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    /// A path that is not a transcript.
    #[error("{} is not read: {why}", path.display())]
    Foreign {
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The system refused.
    #[error("cannot read {}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("no session's id begins with {0}")]
    NoSession(String),
    #[error("several sessions begin with {id}: {}", found.join(", "))]
    Ambiguous { id: String, found: Vec<String> },
    #[error("no session of {} is kept by the client", folder.display())]
    NoneHere { folder: PathBuf },
}

impl TranscriptError {
    pub(crate) fn foreign(path: &Path, why: &'static str) -> Self {
        Self::Foreign {
            path: path.to_owned(),
            why,
        }
    }

    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Io {
            path: path.to_owned(),
            source,
        }
    }
}
