//! Whether the whole configuration can be read.

use bellwether_spine::meta;

use super::{Finding, Setup};
use crate::config;
use crate::doctor::finding::or_good;

pub(super) const ABOUT: &str = "the whole configuration can be read";

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let project = std::env::current_dir().ok();
    let loaded = config::load(setup.home, project.as_deref(), &meta::variable);
    let wrong = loaded.problems.iter().map(|problem| {
        Finding::problem(problem.to_string())
            .advise("correct it; until then the last valid values of that section stay in effect")
    });
    or_good(wrong.collect(), "no configuration problems")
}
