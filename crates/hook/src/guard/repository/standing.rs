//! All that a work tree has beside its last commit, from one call of git.

use std::path::PathBuf;

use bellwether_shell::git::Site;

use super::git::{Git, changes};
use super::{GitAnswer, Silence};

/// What differs from the last commit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::guard) struct Standing {
    /// What git says of it: which commit, which branch, and of each changed file what is staged.
    pub told: Vec<u8>,
    /// The files that it says so of, and those that it has never seen.
    pub files: Vec<PathBuf>,
}

impl Git {
    /// How a work tree differs from its last commit; `ignored` also has what git was told to ignore. Nothing is written,
    /// and nothing of the repository is run.
    pub(in crate::guard) fn standing(&self, site: &Site, ignored: bool) -> GitAnswer<Standing> {
        let off = self.filters_off(site)?;
        let root = self.root(site)?;
        let mut words = vec![
            "status",
            "--porcelain=v2",
            "-z",
            "--branch",
            "--no-renames",
            "--ignore-submodules=dirty",
            "--untracked-files=all",
        ];
        words.extend(ignored.then_some("--ignored=matching"));
        let said = self.ask(site, &off, &words)?;
        if said.cut || said.code != Some(0) {
            return Err(Silence::Trouble("git has too much to say".to_owned()));
        }
        let found = changes(&said.out);
        let names = found
            .modified
            .iter()
            .chain(&found.untracked)
            .chain(&found.ignored);
        Ok(Standing {
            files: names.map(|name| root.join(name)).collect(),
            told: said.out,
        })
    }
}
