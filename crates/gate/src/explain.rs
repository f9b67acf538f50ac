//! What a run would do, without doing it.

use std::path::{Path, PathBuf};

use bellwether_hook::gate::Config;
use serde::Serialize;

use crate::GateError;
use crate::environment::Environment;
use crate::git::{Git, records};
use crate::process::Limits;
use crate::request::base;
use crate::stage::Whereabouts;
use crate::steps::kinds;
use crate::steps::{Found, Plan, Scene};
use crate::tools::Tools;

/// What the gate would do with what is staged now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explained {
    pub root: PathBuf,
    /// In what the work tree differs from what would be committed; the checks run in place when it does not.
    pub apart: Option<String>,
    pub steps: Vec<StepExplained>,
    pub notes: Vec<String>,
}

/// One check, and how it was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StepExplained {
    pub name: String,
    pub command: String,
    pub how: String,
    /// What is not installed and what to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

/// Looks which checks apply to what is staged in a work tree.
pub fn explain(
    config: &Config,
    folder: &Path,
    project: Option<&Path>,
) -> Result<Explained, GateError> {
    let (environment, limits) = (Environment::of_run(config, ""), Limits::default());
    let git = Git::new(&environment, &limits, folder)?;
    let root = git.folders()?.root;
    let git = git.at(&root);
    let files: Vec<String> = records(&git.tell(&["ls-files", "-z"])?).collect();
    let staged = "diff --cached --name-only -z --no-renames --no-ext-diff --diff-filter=d";
    let changed: Vec<String> =
        records(&git.tell(&staged.split(' ').collect::<Vec<_>>())?).collect();
    let apart = match Whereabouts::find(&git, None)? {
        Whereabouts::InPlace => None,
        Whereabouts::Apart(why) => Some(why),
    };
    let (tools, base) = (Tools::of(&environment), base(project, &root));
    let plan = Plan::of(Scene {
        root: &root,
        real: &root,
        base: &base,
        files: &files,
        changed: &changed,
        tools: &tools,
        config,
    });
    Ok(Explained {
        root,
        apart,
        steps: plan.found.into_iter().map(StepExplained::of).collect(),
        notes: plan.notes,
    })
}

/// The root of the work tree that a folder is in, as git names it.
pub fn root_of(folder: &Path) -> Result<PathBuf, GateError> {
    let (environment, limits) = (
        Environment::of_run(&Config::default(), ""),
        Limits::default(),
    );
    let folders = Git::new(&environment, &limits, folder)?.folders()?;
    Ok(folders.root)
}

/// Every kind of checks that is looked for: its name and what it runs.
pub fn known_kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
    kinds::ALL.iter().map(|kind| (kind.name, kind.about))
}

impl StepExplained {
    fn of(found: Found) -> Self {
        match found {
            Found::Step(step) => Self {
                name: step.name,
                command: step.shown,
                how: step.how,
                missing: None,
            },
            Found::Missing(missing) => Self {
                missing: Some(missing.told()),
                name: missing.name,
                command: missing.shown,
                how: missing.how,
            },
            Found::Skipped { name, shown } => Self {
                name,
                command: shown,
                how: "configured in gate.steps; no file that it is for is staged".to_owned(),
                missing: None,
            },
        }
    }
}
