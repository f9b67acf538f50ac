//! The guard: judges what a tool call would do before it is done.

#[cfg(test)]
mod git_tests;
mod loss;
mod repository;
pub mod rules;
mod scene;
mod verdict;

pub use repository::{BUDGET, Changes, Git, Kind, Leaving, Names, Repository, Silence};
pub use scene::{Mode, Scene};
pub use verdict::{Finding, Judgement, Severity, Verdict};
