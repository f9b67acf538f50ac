//! What can go wrong: with the phases, with a step that somebody wants, and with the file.

use std::io;
use std::path::{Path, PathBuf};

use crate::file::Complaint;

/// What is wrong with a list of phases.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FlowError {
    #[error("a workflow has from 1 to {1} phases, and this one has {0}")]
    Count(usize, usize),
    #[error("{0:?} is no name of a phase: it takes letters, digits, - and _, at most 30")]
    Name(String),
    #[error("{0:?} is no tag: it takes letters, digits, spaces, - and _, at most 30")]
    Tag(String),
    #[error("two phases have the {0} {1:?}")]
    Twice(&'static str, String),
    #[error("phase {from:?} leads to {to:?}, which is no phase")]
    Missing { from: String, to: String },
    #[error("phase {0:?} has one of `passed` and `failed`, which go together")]
    Half(String),
    #[error("the phases cannot be read: {0}")]
    Unreadable(String),
}

/// Why a step that somebody wants is not taken. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    #[error("there is no feature {0:?}")]
    NoFeature(String),
    #[error("{0:?} cannot be the name of a feature: it takes 1 to {1} characters in one line")]
    Name(String, usize),
    #[error("there is no phase {0:?}; there are {1}")]
    NoPhase(String, String),
    #[error("{feature:?} is in {from} and cannot go to {to}; it can go to {legal}")]
    Illegal {
        feature: String,
        from: String,
        to: String,
        legal: String,
    },
    #[error("{0:?} is in {1} already")]
    AlreadyThere(String, String),
    #[error("{feature:?} cannot go to {to}: its match rate {rate}")]
    Rate {
        feature: String,
        to: String,
        rate: String,
    },
    #[error("{feature:?} cannot leave {phase}: {path} is not there")]
    Paper {
        feature: String,
        phase: String,
        path: String,
    },
    #[error("{0:?} is finished")]
    Finished(String),
    #[error("{0:?} is not finished")]
    NotFinished(String),
    #[error("{0:?} is in {1}, where no match rate counts")]
    NotMeasured(String, String),
    #[error("{0} is no match rate: it is a number from 0 to 100")]
    NoRate(String),
    #[error("there is nothing to undo")]
    NothingToUndo,
    #[error("a step that the workflow does not allow needs a reason")]
    NoReason,
}

/// What can go wrong with a project's workflow.
#[derive(Debug, thiserror::Error)]
pub enum WorkflowError {
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was attempted, as a verb.
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("{} is being changed by others for too long", path.display())]
    Busy { path: PathBuf },
    #[error("{}:{line}: a merge left a conflict here; settle it by hand, nothing is written before", path.display())]
    Conflict { path: PathBuf, line: usize },
    #[error("{}:{line}:{column}: {why}; mend it by hand, nothing is written before", path.display())]
    Broken {
        path: PathBuf,
        line: usize,
        column: usize,
        why: String,
    },
    #[error("{} was written by a newer bellwether (format {version})", path.display())]
    Newer { path: PathBuf, version: u32 },
    #[error("{} has {bytes} bytes, which is too large for a status file", path.display())]
    TooLarge { path: PathBuf, bytes: u64 },
    #[error("{} is not a regular file", path.display())]
    NotAFile { path: PathBuf },
    #[error("{}:{}: {}", path.display(), complaint.line, complaint.text)]
    EditedByHand { path: PathBuf, complaint: Complaint },
    #[error("the workflow in the configuration is wrong: {0}")]
    Flow(#[from] FlowError),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("{0}")]
    Import(String),
}

impl WorkflowError {
    pub(crate) fn io(action: &'static str, path: &Path, source: impl Into<io::Error>) -> Self {
        Self::Io {
            action,
            path: path.to_owned(),
            source: source.into(),
        }
    }

    /// Whether the project has no workflow.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}
