//! What was found about a command.

use std::path::{Path, PathBuf};

use crate::effect::Act;
use crate::git::staging::{Staged, Staging};
use crate::parse;
use crate::run::Runner;
use crate::world::World;

/// What was found about a command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Analysis {
    pub source: String,
    /// The commands that would be run, with all in them resolved that can be.
    pub commands: Vec<Ran>,
    pub acts: Vec<Act>,
    /// What is staged and committed, in order.
    pub staging: Vec<StagingStep>,
    /// The files that were written on the way whose whole content is known.
    pub written: Vec<(PathBuf, String)>,
    /// Why it could not be parsed.
    pub syntax: Option<String>,
}

/// A step on the way to a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StagingStep {
    pub staged: Staged,
    /// The way to it, from the outside.
    pub via: Vec<String>,
    /// How many of the acts come before it.
    pub after: usize,
}

/// One command that would be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// Its words; what is not known stands as it was written.
    pub words: Vec<String>,
    /// The way to it, from the outside.
    pub via: Vec<String>,
    /// Where it is run, when nothing is known of the program: it may do anything to what it is given.
    pub opaque: Option<Opaque>,
}

/// A call of a program that the table does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opaque {
    /// The folder, when it is known.
    pub folder: Option<PathBuf>,
}

impl Analysis {
    /// The commits among the steps, each with its number.
    pub fn commits(&self) -> impl Iterator<Item = (usize, &StagingStep)> {
        let steps = self.staging.iter().enumerate();
        steps.filter(|(_, step)| matches!(step.staged.act, Staging::Commit(_)))
    }

    /// How the command is parsed, one expression for each part. For people only: it costs more than the
    /// parsing.
    pub fn tree(&self) -> Vec<String> {
        let nodes = parse::command(&self.source).unwrap_or_default();
        nodes.iter().map(ToString::to_string).collect()
    }
}

/// Finds out what a command would do in a folder.
pub fn analyse(command: &str, folder: Option<&Path>, world: &dyn World) -> Analysis {
    Runner::new(world, folder).analyse(command)
}
