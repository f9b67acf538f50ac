//! The one error type of this crate: what was attempted, on which path, and what the system said.

use std::io;
use std::path::{Path, PathBuf};

/// What can go wrong in the spine.
#[derive(Debug, thiserror::Error)]
pub enum SpineError {
    /// A system call on a path failed.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was attempted, as a verb: "open", "append to".
        action: &'static str,
        /// The file or folder concerned.
        path: PathBuf,
        source: io::Error,
    },
    /// A write ended early: the disk is full or a limit was reached.
    #[error("only {written} of {wanted} bytes fitted into {}", path.display())]
    ShortWrite {
        /// The file concerned.
        path: PathBuf,
        /// How many bytes were taken.
        written: usize,
        wanted: usize,
    },
    /// `--home` must mean the same folder wherever the process stands.
    #[error("--home takes an absolute path, not {:?}", path.display().to_string())]
    NotAbsolute { path: PathBuf },
    /// Neither arguments nor environment nor the user database name a home folder.
    #[error("no home folder: HOME is not set and user {uid} has no entry in /etc/passwd")]
    NoHome {
        /// The user id that was looked up.
        uid: u32,
    },
    /// A file that only one user may write is another's, or open to others.
    #[error("user {uid} is not the only one who may write {}", path.display())]
    Writable {
        path: PathBuf,
        /// The user it must belong to.
        uid: u32,
    },
    /// A folder that must be ours alone belongs to someone else or is open to others.
    #[error("{} is not a folder that only user {uid} may enter", path.display())]
    Untrusted {
        /// The folder concerned.
        path: PathBuf,
        /// The user it must belong to.
        uid: u32,
    },
    /// A journal record that is not one of ours.
    #[error("not a journal record: {0}")]
    Record(String),
}

impl SpineError {
    /// Wraps the system's answer with what was attempted and where.
    pub fn io(action: &'static str, path: &Path, source: impl Into<io::Error>) -> Self {
        Self::Io {
            action,
            path: path.to_owned(),
            source: source.into(),
        }
    }

    /// Whether the system said that the file or folder does not exist.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}
