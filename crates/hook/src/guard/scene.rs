//! What rules may look at beside the act: where it happens, and what is at stake there.

use std::path::{Path, PathBuf};

use bellwether_shell::{World, matches_path};
use serde::{Deserialize, Serialize};

use super::repository::Repository;

/// How strictly the guard judges.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// By what would be lost: with a clean tree `git reset --hard` loses nothing.
    #[default]
    Loss,
    /// By what is done, whether something would be lost or not.
    Strict,
}

#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// How strictly it is judged.
    pub mode: Mode,
    /// The project's folder: what the agent was started in.
    pub project: Option<&'a Path>,
    pub home: Option<&'a Path>,
    /// The branches that nobody may rewrite; names or patterns: `main`, `release/*`.
    pub protected_branches: &'a [String],
    pub world: &'a dyn World,
    /// Answers what would be lost in a repository, slowly: it starts git.
    pub repository: &'a dyn Repository,
    /// Whether the code that is judged is the project's own.
    pub own: bool,
}

impl Scene<'_> {
    /// Whether the loss counts for nothing.
    pub fn is_strict(&self) -> bool {
        self.mode == Mode::Strict
    }

    /// Whether nobody may rewrite a branch.
    pub fn protects(&self, branch: &str) -> bool {
        self.protected_branches
            .iter()
            .any(|pattern| matches_path(pattern, branch))
    }

    /// The real path, or the path itself when there is nothing at it.
    pub fn real(&self, path: &Path) -> PathBuf {
        self.world.real(path).unwrap_or_else(|| path.to_owned())
    }
}
