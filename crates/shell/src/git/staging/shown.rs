//! How steps on the way to a commit are shown.

use std::fmt;

use super::{Added, Adding, Commit, Holds, Removing, Rewound, Staging, Unforeseen};
use crate::git::shown::{flag, list, shown};

impl fmt::Display for Staging {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Add(adding) => adding.fmt(to),
            Self::Remove(removing) => removing.fmt(to),
            Self::Rename { from, to: target } => {
                write!(to, "rename{} to {}", list(from), target.shown())
            }
            Self::Unstage { from, paths } => {
                write!(
                    to,
                    "unstage{}{}",
                    list(paths),
                    shown(" from ", from.as_ref())
                )
            }
            Self::Rewind { to: commit, index } => {
                let index = flag(*index == Rewound::Stays, " without the index");
                write!(to, "rewind{}{index}", shown(" to ", commit.as_ref()))
            }
            Self::Commit(commit) => commit.fmt(to),
            Self::Begin(folder) => write!(to, "begin {}", folder.display()),
            Self::Unknown { by, of } => {
                let of = match of {
                    Unforeseen::WorkTree => "work tree",
                    Unforeseen::Index => "index",
                };
                write!(to, "unknown {of} by {by}")
            }
        }
    }
}

impl fmt::Display for Adding {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self.of {
            Added::Named => "add",
            Added::All => "add all",
            Added::Tracked => "add tracked",
        })?;
        write!(to, "{}", list(&self.paths))?;
        if let Some(listed) = &self.listed {
            write!(to, " listed in {}", listed.file.shown())?;
        }
        self.options
            .iter()
            .try_for_each(|option| write!(to, " {option}"))
    }
}

impl fmt::Display for Removing {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cached = flag(self.cached, " cached");
        let folders = flag(self.folders, " folders");
        write!(to, "remove{cached}{folders}{}", list(&self.paths))
    }
}

impl fmt::Display for Commit {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(flag(self.amend, "amend "))?;
        to.write_str("commit")?;
        match &self.holds {
            Holds::Index => Ok(()),
            Holds::All => to.write_str(" all"),
            Holds::Only(paths) => write!(to, " only{}", list(paths)),
            Holds::Include(paths) => write!(to, " with{}", list(paths)),
            Holds::Nothing => to.write_str(" nothing"),
            Holds::Unknown(what) => write!(to, " {what}"),
        }
    }
}
