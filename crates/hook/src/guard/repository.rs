//! What a git repository would lose. Asked only when a rule needs it.

use std::path::{Path, PathBuf};

/// Why nothing can be said about a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Silence {
    /// The folder is in no repository.
    NoRepository,
    /// There is no git, it took too long, or it said something else: in a few words.
    Trouble(String),
}

/// What is in some paths of a work tree that git could not bring back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// The work tree's root.
    pub root: PathBuf,
    /// Tracked files that differ from the last commit, staged or not; relative to the root.
    pub modified: Vec<String>,
    /// Files that git has never seen.
    pub untracked: Vec<String>,
    /// Ignored files and folders, folders as one.
    pub ignored: Vec<String>,
}

/// Answers about repositories. Every answer is bounded in time.
pub trait Repository {
    /// What git could not bring back of `paths` (all of the work tree when empty), seen from `folder`.
    fn changes(&self, folder: &Path, paths: &[PathBuf]) -> Result<Changes, Silence>;
}
