//! Which checks apply: those that the project's own files ask for, and those that the person has configured.

mod configured;
pub(crate) mod kinds;
mod place;
mod plan;

use std::ffi::OsString;
use std::path::PathBuf;

pub(crate) use place::{Place, Scene};
pub(crate) use plan::Plan;

/// A check that can run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    /// `node-lint`, or `node-lint:packages/web` where it is not the root's.
    pub(crate) name: String,
    pub(crate) program: PathBuf,
    pub(crate) words: Vec<OsString>,
    /// The command as people write it.
    pub(crate) shown: String,
    /// The folder that it runs in.
    pub(crate) folder: PathBuf,
    /// Variables of its own.
    pub(crate) variables: Vec<(&'static str, OsString)>,
    pub(crate) verdict: Verdict,
    /// How it was found.
    pub(crate) how: String,
    /// What its output says when something is not installed, and what to do then.
    pub(crate) absent: &'static [(&'static str, &'static str)],
}

/// What tells whether a check has passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    ByCode,
    /// Saying nothing is passing; what is said is a list of this.
    BySilence(&'static str),
}

/// What came of looking for a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    Step(Step),
    /// It applies, and cannot run.
    Missing(Missing),
    /// It is configured, and no file that it is for is part of the commit.
    Skipped {
        name: String,
        shown: String,
    },
}

/// A check that cannot run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Missing {
    pub(crate) name: String,
    pub(crate) shown: String,
    pub(crate) how: String,
    /// What is not there: `ruff`.
    pub(crate) what: String,
    /// What to do about it.
    pub(crate) advice: String,
}

impl Found {
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Step(step) => &step.name,
            Self::Missing(missing) => &missing.name,
            Self::Skipped { name, .. } => name,
        }
    }

    /// The name without the folder.
    fn base(&self) -> &str {
        self.name().split(':').next().unwrap_or_default()
    }
}
