//! The acts: each holds what a rule needs to tell what would be lost.

use crate::text::Text;

/// What is done to a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GitAct {
    /// Something is forced upon a remote, or deleted there.
    Push(Push),
    /// `git reset` that touches the work tree.
    Reset {
        /// How it treats the work tree.
        mode: ResetMode,
        /// The commit it goes to, when one is named.
        to: Option<Text>,
        /// Submodules are reset too.
        submodules: bool,
    },
    /// `git clean`.
    Clean(Cleaning),
    /// Files of the work tree are replaced by what git knows.
    Discard(Discarding),
    /// A branch is put elsewhere, whatever it held.
    MoveBranch {
        branch: Text,
        /// Where to, when that is named; the current commit otherwise.
        to: Option<Text>,
        how: Moved,
    },
    /// Branches are deleted, merged or not.
    DeleteBranch {
        names: Vec<Text>,
    },
    DeleteTag {
        names: Vec<Text>,
    },
    /// A reference is deleted without any question.
    DeleteRef {
        name: Text,
    },
    /// Stashed work is thrown away.
    DropStash(Stashed),
    /// Commits are written anew: `filter-branch`, `filter-repo`.
    RewriteHistory {
        by: String,
    },
    /// What could still be brought back is forgotten: the reflog, unreachable commits.
    Forget {
        by: String,
    },
    /// A work tree is removed with what is in it.
    RemoveWorktree {
        /// Its path, as it was given.
        path: Text,
    },
    /// Tracked files are removed although they were changed: `git rm -f`.
    RemoveFiles {
        paths: Vec<Text>,
    },
    /// What was changed in submodules is thrown away.
    DropSubmodules {
        by: String,
    },
    /// The hooks of a repository are left out.
    SkipHooks {
        how: String,
        /// Not only this once.
        lasting: bool,
    },
    /// It cannot be told what git is to do, but it is told to do it by force.
    Unknown {
        what: String,
    },
}

/// A push that forces or deletes.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Push {
    /// Where to, when it is named.
    pub remote: Option<Text>,
    /// What is pushed; empty means what the configuration says, mostly the current branch.
    pub refs: Vec<Refspec>,
    pub force: Forced,
    /// The named references are deleted.
    pub delete: bool,
    /// The remote becomes a mirror: everything else there is deleted.
    pub mirror: bool,
    /// Branches that are not here are deleted there.
    pub prune: bool,
    pub all: bool,
    pub tags: bool,
}

/// One reference of a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refspec {
    /// What is pushed; nothing deletes.
    pub from: Option<Text>,
    /// Where to; the same name when it is not given.
    pub to: Option<Text>,
    /// It is forced by a `+`.
    pub force: bool,
}

/// Whether a push is forced.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Forced {
    #[default]
    No,
    /// Only when nobody else has pushed.
    Lease,
    /// Whatever is there.
    Yes,
}

/// How a reset treats the work tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResetMode {
    /// Every change goes.
    Hard,
    /// What is staged goes.
    Merge,
}

/// What `git clean` is to remove.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleaning {
    /// In which paths; everywhere below the folder when empty.
    pub paths: Vec<Text>,
    pub except: Vec<Text>,
    /// Whole folders too.
    pub folders: bool,
    /// Repositories in folders too.
    pub repositories: bool,
    /// What is done with ignored files.
    pub ignored: Ignored,
    /// It is told to, or the configuration would have to allow it.
    pub forced: bool,
}

/// What is done with ignored files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ignored {
    Stay,
    /// They go too.
    Too,
    /// Only they go.
    Only,
}

/// Files that are replaced by what git knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discarding {
    /// Which paths; all when empty.
    pub paths: Vec<Text>,
    /// The commit they come from, when it is not the index.
    pub from: Option<Text>,
    /// The one path may also be a branch: `git checkout name`.
    pub maybe: bool,
    /// Submodules too.
    pub submodules: bool,
}

/// By what a branch is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// `branch -f`, `update-ref`, a forced fetch.
    Forced,
    /// `checkout -B`, `switch -C`: it becomes the current branch.
    Switched,
    /// `branch -M`, `branch -C`: another branch takes its name.
    Renamed,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stashed {
    All,
    /// One entry; the latest when none is named.
    One(Option<Text>),
}
