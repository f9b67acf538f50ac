//! What git would do to a repository, told from the words of its command line.
//!
//! Only what may destroy something becomes an effect; a plain `git push` has none. What git would
//! run on its own (aliases, `rebase --exec`, a pager) is handed back as [`Run`], to be read in turn.
//! What is not known stays a hole in the act, so that a rule can ask.

mod act;
mod call;
mod commands;
mod config;
mod globals;
mod shown;
mod split;
pub mod staging;

#[cfg(test)]
mod tests;

use std::path::PathBuf;

pub use act::{
    Cleaning, Discarding, Forced, GitAct, Ignored, Moved, Push, Refspec, ResetMode, Stashed,
};
pub use call::{GitCall, Reading, Run, Started, Touched, read};

/// Something done to a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitEffect {
    /// Where it is done, when that is known.
    pub site: Option<Site>,
    pub act: GitAct,
    /// What the same command has done there before.
    pub before: Before,
}

/// What a command has done to a repository before it does something else.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Before {
    /// Where the changes of the work tree were put as a whole.
    pub kept: Option<Kept>,
    /// All that git had never seen was staged, so that it knows it now.
    pub staged: bool,
    /// The current commit got another name, or is on a remote.
    pub named: bool,
}

/// Where changes were put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    Stash {
        /// What git had never seen too.
        untracked: bool,
    },
    Commit {
        untracked: bool,
    },
}

impl Before {
    /// Whether files that git had never seen are safe.
    pub fn has_untracked(&self) -> bool {
        let kept = match self.kept {
            Some(Kept::Stash { untracked } | Kept::Commit { untracked }) => untracked,
            None => false,
        };
        kept || self.staged
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// The folder it is started in.
    pub folder: PathBuf,
    /// The repository, when it is named: `--git-dir`, `GIT_DIR`.
    pub git_dir: Option<PathBuf>,
    /// The work tree, when it is named: `--work-tree`, `GIT_WORK_TREE`.
    pub work_tree: Option<PathBuf>,
}

impl Site {
    /// The repository around a folder.
    pub fn of(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            ..Self::default()
        }
    }
}
