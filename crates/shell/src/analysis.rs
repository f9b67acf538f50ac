//! What was found about a command.

use std::path::Path;

use crate::effect::Act;
use crate::run::Runner;
use crate::world::World;

/// What was found about a command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Analysis {
    /// The parsed tree, one expression a command.
    pub tree: Vec<String>,
    /// The commands that would be run, with all in them resolved that can be.
    pub commands: Vec<Ran>,
    /// What they would do.
    pub acts: Vec<Act>,
    /// Why it could not be parsed.
    pub syntax: Option<String>,
}

/// One command that would be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// Its words; what is not known stands as it was written.
    pub words: Vec<String>,
    /// The way to it, from the outside.
    pub via: Vec<String>,
}

/// Finds out what a command would do in a folder.
pub fn analyse(command: &str, folder: Option<&Path>, world: &dyn World) -> Analysis {
    Runner::new(world, folder).analyse(command)
}
