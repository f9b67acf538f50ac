//! Git on behalf of the gate: it works on an index of ours, and runs neither hook nor file monitor nor pager.
//!
//! Filters do run, unlike for the guard: without them the tree would not be the one that is committed. Only a project that the person
//! trusts has a gate, its checks run what stands in it anyway, and the commit itself runs the same filters a moment later.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bellwether_shell::git::Site;

use crate::child::{self, ChildOutput, Cut, Limits};
use crate::guard::machine;
use crate::guard::repository::{command, unanswered};

/// The most that is read of what git says: a list of all files of a large repository.
const MOST: usize = 64 * 1024 * 1024;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stop {
    /// What will be committed cannot be told before it is: why.
    Doubt(String),
    /// Git will refuse to commit this.
    Refused,
    /// The time for the checks is up.
    Late,
    /// We could not do it.
    Failed(String),
}

pub(super) struct Git {
    user: Option<PathBuf>,
    settings: Vec<(String, String)>,
    end: Instant,
}

/// What git is asked, where, and over which index.
pub(super) struct Asking<'a> {
    pub site: &'a Site,
    pub index: &'a Path,
    /// What it reads.
    pub input: Option<&'a Path>,
}

impl Git {
    pub(super) fn new(end: Instant) -> Self {
        Self {
            user: machine::user(),
            // An index in two parts would have one of them in the repository.
            settings: vec![("core.splitIndex".to_owned(), "false".to_owned())],
            end,
        }
    }

    /// Asks git; every exit code is an answer.
    pub(super) fn ask(&self, asking: &Asking<'_>, words: &[&str]) -> Result<ChildOutput, Stop> {
        let failed = |why: String| Stop::Failed(why);
        let mut command = command(asking.site, self.user.as_deref(), &self.settings)
            .ok_or_else(|| failed("git was not found".to_owned()))?;
        command.env("GIT_INDEX_FILE", asking.index).args(words);
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        if let Some(input) = asking.input {
            command.stdin(File::open(input).map_err(|error| failed(error.to_string()))?);
        }
        let limits = Limits {
            end: self.end,
            most: MOST,
            called_off: &|| false,
        };
        match child::run(&mut command, &[], limits) {
            Ok(said) if !said.cut => Ok(said),
            Ok(_) => Err(failed("git said too much".to_owned())),
            Err(Cut::Late) => Err(Stop::Late),
            Err(cut) => Err(failed(unanswered(&cut))),
        }
    }

    /// The same where only success will do: what else comes of it makes the commit doubtful.
    pub(super) fn must(&self, asking: &Asking<'_>, words: &[&str]) -> Result<ChildOutput, Stop> {
        let said = self.ask(asking, words)?;
        if said.code == Some(0) {
            return Ok(said);
        }
        let verb = words.first().copied().unwrap_or_default();
        Err(Stop::Doubt(format!(
            "`git {verb}` would fail as things are now ({})",
            complaint(&said)
        )))
    }
}

/// The first thing that git complains of.
pub(super) fn complaint(said: &ChildOutput) -> String {
    let first = said.complaint.lines().find(|line| !line.is_empty());
    let first = first.unwrap_or("it does not say why");
    let first = first
        .trim_start_matches("fatal: ")
        .trim_start_matches("error: ");
    bellwether_spine::text::shown(first, 120)
}
