//! What a run is asked for, and by whom it is watched.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bellwether_hook::gate::Config;
use bellwether_spine::Home;

use crate::process::Limits;
use crate::report::{Report, StepReport};

/// What is asked for.
#[derive(Debug)]
pub struct Request<'a> {
    pub home: &'a Home,
    pub config: &'a Config,
    /// A folder of the work tree.
    pub folder: &'a Path,
    /// The folder whose configuration this is; the work tree's root when nothing else is said.
    pub project: Option<&'a Path>,
    /// The tree to check; that of the index when nothing else is said.
    pub tree: Option<&'a str>,
    /// How long it may take.
    pub budget: Option<Duration>,
    pub limits: Limits,
    pub remembered: Remembered,
    pub notes: Notes,
}

impl Request<'_> {
    /// How many seconds it may take, for words.
    pub(crate) fn seconds(&self) -> u64 {
        self.budget.unwrap_or_default().as_secs()
    }
}

/// What counts of earlier runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remembered {
    /// A tree that has passed is not checked again.
    Counts,
    CheckedAgain,
}

/// Which notes are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notes {
    /// Those that the person was not told before.
    Once,
    All,
}

/// Whoever watches a run.
pub trait Watcher {
    /// How far the checks are.
    fn changed(&mut self, steps: &[StepReport]);
    /// The result, before anything is cleared away.
    fn answered(&mut self, report: &Report);
}

/// The project's folder, relative to the root; one that is elsewhere does not count.
pub(crate) fn base(project: Option<&Path>, root: &Path) -> PathBuf {
    let project = project.and_then(|project| project.canonicalize().ok());
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let base = project.and_then(|project| project.strip_prefix(root).map(Path::to_owned).ok());
    base.unwrap_or_default()
}
