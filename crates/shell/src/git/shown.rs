//! How acts are shown to a person.

use std::fmt;

use super::act::{Cleaning, Discarding, Forced, GitAct, Ignored, Moved, Push, ResetMode, Stashed};
use crate::text::Text;

impl fmt::Display for GitAct {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Push(push) => push.fmt(to),
            Self::Reset {
                mode,
                to: commit,
                submodules,
            } => {
                let mode = match mode {
                    ResetMode::Hard => "hard",
                    ResetMode::Merge => "merge",
                };
                write!(to, "reset {mode}{}", shown(" to ", commit.as_ref()))?;
                to.write_str(flag(*submodules, " with submodules"))
            }
            Self::Clean(cleaning) => cleaning.fmt(to),
            Self::Discard(discarding) => discarding.fmt(to),
            Self::MoveBranch {
                branch,
                to: commit,
                how,
            } => {
                let how = match how {
                    Moved::Forced => "force",
                    Moved::Switched => "switch",
                    Moved::Renamed => "rename",
                };
                let commit = shown(" to ", commit.as_ref());
                write!(to, "move branch {}{commit} by {how}", branch.shown())
            }
            Self::DeleteBranch { names } => write!(to, "delete branch{}", list(names)),
            Self::DeleteTag { names } => write!(to, "delete tag{}", list(names)),
            Self::DeleteRef { name } => write!(to, "delete reference {}", name.shown()),
            Self::DropStash(Stashed::All) => to.write_str("drop all stashes"),
            Self::DropStash(Stashed::One(which)) => {
                write!(to, "drop stash{}", shown(" ", which.as_ref()))
            }
            Self::RewriteHistory { by } => write!(to, "rewrite history by {by}"),
            Self::Forget { by } => write!(to, "forget by {by}"),
            Self::RemoveWorktree { path } => write!(to, "remove work tree {}", path.shown()),
            Self::RemoveFiles { paths } => write!(to, "remove files{}", list(paths)),
            Self::DropSubmodules { by } => write!(to, "drop submodules by {by}"),
            Self::SkipHooks { how, lasting } => {
                write!(to, "skip hooks by {how}{}", flag(*lasting, " for good"))
            }
            Self::Unknown { what } => write!(to, "unknown {what}"),
        }
    }
}

impl fmt::Display for Push {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("push")?;
        to.write_str(match self.force {
            Forced::No => "",
            Forced::Lease => " with lease",
            Forced::Yes => " by force",
        })?;
        for (set, word) in [
            (self.delete, " delete"),
            (self.mirror, " mirror"),
            (self.prune, " prune"),
            (self.all, " all"),
            (self.tags, " tags"),
        ] {
            to.write_str(flag(set, word))?;
        }
        write!(to, "{}", shown(" to ", self.remote.as_ref()))?;
        for refspec in &self.refs {
            let plus = flag(refspec.force, "+");
            let (from, dst) = (refspec.from.as_ref(), refspec.to.as_ref());
            write!(to, " {plus}{}{}", shown("", from), shown(":", dst))?;
        }
        Ok(())
    }
}

impl fmt::Display for Cleaning {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(if self.forced {
            "clean"
        } else {
            "clean unforced"
        })?;
        to.write_str(flag(self.folders, " folders"))?;
        to.write_str(flag(self.repositories, " repositories"))?;
        to.write_str(match self.ignored {
            Ignored::Stay => "",
            Ignored::Too => " ignored too",
            Ignored::Only => " only ignored",
        })?;
        to.write_str(&list(&self.paths))?;
        if !self.except.is_empty() {
            write!(to, " except{}", list(&self.except))?;
        }
        Ok(())
    }
}

impl fmt::Display for Discarding {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(if self.maybe {
            "maybe discard"
        } else {
            "discard"
        })?;
        if self.paths.is_empty() {
            to.write_str(" all")?;
        }
        write!(to, "{}", list(&self.paths))?;
        write!(to, "{}", shown(" from ", self.from.as_ref()))?;
        to.write_str(flag(self.submodules, " with submodules"))
    }
}

pub(super) fn shown(before: &str, text: Option<&Text>) -> String {
    text.map_or_else(String::new, |text| format!("{before}{}", text.shown()))
}

pub(super) fn list(texts: &[Text]) -> String {
    let mut list = String::new();
    for text in texts {
        list.push(' ');
        list.push_str(&text.shown());
    }
    list
}

pub(super) fn flag(set: bool, word: &'static str) -> &'static str {
    if set { word } else { "" }
}
