//! The guard: judges what a tool call would do before it is done.

pub mod allow;
pub mod answer;
pub mod audit;
pub mod catalog;
pub mod config;
pub mod files;
pub mod glob;
pub mod judge;
pub mod machine;
pub mod paths;
mod registered;
mod repository;
pub mod rules;
mod scene;
mod tighten;
pub mod users;
mod verdict;

pub use config::Config;
pub use repository::{Changes, Repository, Silence};
pub use scene::{Mode, Scene};
pub use tighten::tighten;
pub use verdict::{Finding, Judgement, Severity, Verdict};
