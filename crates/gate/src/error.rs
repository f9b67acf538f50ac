//! Why the gate cannot say anything about a commit.

use std::io;
use std::path::{Path, PathBuf};

use bellwether_spine::SpineError;

use crate::process::Stop;

/// Why a run has no result.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    #[error("{} is in no work tree of a git repository", path.display())]
    NoRepository { path: PathBuf },
    #[error("git was not found on PATH")]
    NoGit,
    /// Git did not do what it was asked to.
    #[error("git {what} failed: {said}")]
    Git {
        /// Its first word: `status`, `read-tree`.
        what: String,
        said: String,
    },
    /// The index has entries of several sides of a merge.
    #[error("the index has conflicts; resolve them first: {said}")]
    Conflicts { said: String },
    #[error("{name} is no id of a tree")]
    NoTree { name: String },
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was attempted, as a verb.
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("cannot make a pipe: {0}")]
    Pipe(io::Error),
    #[error("cannot start {program}: {source}")]
    Start { program: String, source: io::Error },
    /// It would wait for itself.
    #[error("a check of the gate cannot run the gate")]
    Nested,
    /// It was not to go on.
    #[error("{}", match .0 {
        Stop::Late => "the deadline has come",
        Stop::Alone => "whoever waited for the answer has gone",
    })]
    Stopped(Stop),
    #[error(transparent)]
    Spine(#[from] SpineError),
}

impl GateError {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}

impl From<Stop> for GateError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}
