//! What a git repository would lose. Asked only when a rule needs it.

pub(in crate::guard) mod blobs;
pub(in crate::guard) mod disk;
mod git;
mod overview;
mod standing;
#[cfg(test)]
pub(crate) mod sandbox;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use bellwether_shell::git::{Cleaning, Site};

pub use blobs::{Held, Moment};
pub(crate) use git::command;
pub(crate) use git::unanswered;
pub use git::{BUDGET, Git, SETTINGS as GIT_SETTINGS};
pub use overview::{CheckedOut, Overview};

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
    pub root: PathBuf,
    /// Tracked files that differ from the last commit, staged or not; relative to the root.
    pub modified: Vec<String>,
    /// Files that git has never seen.
    pub untracked: Vec<String>,
    /// Ignored files and folders, folders as one.
    pub ignored: Vec<String>,
}

/// Names, which may be only the first of many.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    pub names: Vec<String>,
    pub more: bool,
}

/// Which of the files that `git clean` removes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Those that git has never seen.
    Untracked,
    /// Those that it was told to ignore.
    Ignored,
}

/// Commits that may be left without a name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Leaving {
    /// Where they are now: `HEAD`, `refs/heads/x`.
    pub tips: Vec<String>,
    /// Branches that no longer hold them.
    pub branches: Vec<String>,
    /// Tags that no longer hold them.
    pub tags: Vec<String>,
    /// What will hold some of them.
    pub kept: Vec<String>,
}

type GitAnswer<T> = Result<T, Silence>;

/// Answers about repositories. Every answer is bounded in time.
pub trait Repository {
    /// What git could not bring back of `paths` (all of the work tree when empty), seen from `folder`.
    fn changes(&self, folder: &Path, paths: &[PathBuf]) -> Result<Changes, Silence>;

    /// The tracked files that differ from the last commit, among those that pathspecs name (all when
    /// there are none).
    fn modified(&self, _: &Site, _: &[String]) -> GitAnswer<Names> {
        Err(Silence::NoRepository)
    }

    /// What `git clean` would remove.
    fn cleaned(&self, _: &Site, _: &Cleaning, _: Kind) -> GitAnswer<Names> {
        Err(Silence::NoRepository)
    }

    /// The branch that is checked out.
    fn current_branch(&self, _: &Site) -> GitAnswer<Option<String>> {
        Err(Silence::NoRepository)
    }

    /// The branch of the remote that a branch follows.
    fn upstream(&self, _: &Site, _: &str) -> GitAnswer<Option<String>> {
        Err(Silence::NoRepository)
    }

    /// The main branches of the remotes.
    fn default_branches(&self, _: &Site) -> GitAnswer<Vec<String>> {
        Err(Silence::NoRepository)
    }

    /// Whether a name stands for a commit.
    fn exists(&self, _: &Site, _: &str) -> GitAnswer<bool> {
        Err(Silence::NoRepository)
    }

    /// How many commits no branch, remote branch or tag would hold any longer.
    fn left(&self, _: &Site, _: &Leaving) -> GitAnswer<usize> {
        Err(Silence::NoRepository)
    }

    /// What is stashed, the latest first.
    fn stashes(&self, _: &Site) -> GitAnswer<Names> {
        Err(Silence::NoRepository)
    }

    /// The value of a setting.
    fn setting(&self, _: &Site, _: &str) -> GitAnswer<Option<String>> {
        Err(Silence::NoRepository)
    }

    fn has_submodules(&self, _: &Site) -> GitAnswer<bool> {
        Err(Silence::NoRepository)
    }

    /// What the repository with this work tree held of some paths in it at a moment.
    fn held(&self, _: &Path, _: &Moment, _: &[String]) -> GitAnswer<Held> {
        Err(Silence::NoRepository)
    }

    /// The text that it held of a path at a moment.
    fn text(&self, _: &Path, _: &Moment, _: &str) -> GitAnswer<String> {
        Err(Silence::NoRepository)
    }
}
