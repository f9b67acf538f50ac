//! What a commit will hold: the steps of a command that stage, unstage and commit, in their order.
//!
//! Nothing here is an effect, and no rule of the guard sees it: staging and committing destroy nothing. What cannot be known before
//! it was done stays [`Staging::Unknown`], so that whoever asks what will be committed can say so.

mod commit;
mod index;
mod other;
mod shown;

use std::path::PathBuf;

use super::Site;
use super::call::Git;
use crate::text::Text;

/// A step on the way to a commit, and where it is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staged {
    /// Where, when that is known.
    pub site: Option<Site>,
    /// The index, where another one is named: `GIT_INDEX_FILE`.
    pub index: Option<Text>,
    pub act: Staging,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Staging {
    /// `git add`.
    Add(Adding),
    /// `git rm`.
    Remove(Removing),
    /// `git mv`.
    Rename {
        from: Vec<Text>,
        to: Text,
    },
    /// Paths get back what a commit has of them: `git reset -- PATH`, `git restore --staged`.
    Unstage {
        from: Option<Text>,
        paths: Vec<Text>,
    },
    /// `git reset` to a commit, which leaves the work tree as it is.
    Rewind {
        to: Option<Text>,
        index: Rewound,
    },
    Commit(Commit),
    /// A new repository begins here.
    Begin(PathBuf),
    /// What is there afterwards cannot be told before.
    Unknown {
        by: String,
        of: Unforeseen,
    },
}

/// What `git add` is told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Adding {
    pub of: Added,
    pub paths: Vec<Text>,
    /// A file that lists the paths, and the option by which it was named.
    pub listed: Option<Listed>,
    /// Further options, as git takes them: `--force`, `--chmod=+x`.
    pub options: Vec<&'static str>,
}

/// Which files of the paths are added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Added {
    /// Those that are named.
    #[default]
    Named,
    /// All, whether git knows them or not; everywhere when no path is named.
    All,
    /// Those that git knows; everywhere when no path is named.
    Tracked,
}

/// A file with paths in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub file: Text,
    /// They are separated by NUL.
    pub nul: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removing {
    pub paths: Vec<Text>,
    /// Whole folders too.
    pub folders: bool,
    /// The files stay in the work tree.
    pub cached: bool,
    /// Paths that nothing is at are passed over.
    pub lenient: bool,
}

/// What a reset does to the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rewound {
    /// It stays: `--soft`.
    Stays,
    /// It becomes what the commit has.
    Too,
}

/// What nobody can tell beforehand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unforeseen {
    /// Only what is in the work tree.
    WorkTree,
    /// What is in the index, too.
    Index,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    pub holds: Holds,
    /// The last commit is made anew.
    pub amend: bool,
}

/// What a commit is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holds {
    /// What is staged.
    Index,
    /// That, and all that was changed in files that git knows: `-a`.
    All,
    /// The last commit and these paths: `git commit PATH`.
    Only(Vec<Text>),
    /// What is staged and these paths: `-i PATH`.
    Include(Vec<Text>),
    /// What the last commit holds: `--amend --only`.
    Nothing,
    /// It is chosen by hand, or listed elsewhere.
    Unknown(&'static str),
}

/// Notes what a subcommand means for the next commit.
pub(super) fn read(git: &mut Git<'_>, name: &str, words: &[Text]) {
    match name {
        "add" | "stage" => index::add(git, words),
        "rm" => index::rm(git, words),
        "mv" => index::mv(git, words),
        "reset" => index::reset(git, words),
        "restore" => index::restore(git, words),
        "commit" => commit::commit(git, words),
        name => other::read(git, name, words),
    }
}
