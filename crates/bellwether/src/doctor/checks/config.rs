//! Whether the configuration can be read, all of it.

use bellwether_spine::meta;

use super::{Context, Finding};
use crate::config;
use crate::doctor::finding::or_good;

pub(super) const ABOUT: &str = "the configuration can be read, all of it";

pub(super) fn run(context: &Context<'_>) -> Vec<Finding> {
    let project = std::env::current_dir().ok();
    let loaded = config::load(context.home, project.as_deref(), &meta::variable);
    let wrong = loaded.problems.iter().map(|problem| {
        Finding::problem(problem.to_string())
            .advise("correct it; until then that section counts as it did when it was last good")
    });
    or_good(wrong.collect(), "good, or none")
}
