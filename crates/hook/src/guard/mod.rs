//! The guard: judges what a tool call would do before it is done.

pub mod allow;
pub mod answer;
pub mod audit;
pub mod catalog;
pub mod config;
pub mod consent;
pub mod files;
#[cfg(test)]
mod git_tests;
pub mod judge;
pub(crate) mod keys;
mod joined;
mod loss;
mod owned;
pub mod machine;
pub mod paths;
mod places;
mod regenerable;
pub mod registered;
pub(crate) mod repository;
pub mod rules;
mod scene;
pub(crate) mod skill;
mod startup;
mod stricter;
mod tighten;
pub mod timer;
mod touched;
pub mod users;
mod verdict;
mod world;
mod zone;

pub use config::Config;
pub use judge::{Call, Judged, judge};
pub use repository::disk::root_of;
#[cfg(test)]
pub(crate) use repository::sandbox;
pub use repository::{
    BUDGET, Changes, CheckedOut, GIT_SETTINGS, Git, Held, Kind, Leaving, Moment, Names, Overview,
    Repository, Silence,
};
pub use scene::{Mode, Scene};
pub use stricter::stricter;
pub use tighten::tighten;
pub use verdict::{Finding, Judgement, Severity, Verdict};
