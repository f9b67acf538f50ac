//! Formats a file that an agent has changed, with what its project uses.
//!
//! Architecture Invariant: the file is the agent's or the formatted one, whole, at every moment that we can help. A tool that reads
//! and writes streams never touches it; one that writes in place and does not come to its own end is undone.

mod apply;
mod config;
mod formatters;
mod package;
mod plan;
mod target;
mod told;

pub(crate) use apply::run;
pub use config::{Config, FormatCommand, SECTION};
pub use formatters::{ALL, Formatter, Way};
pub use plan::{ChosenBy, LeftAlone, Plan, Step, available, plan};
pub use target::Target;
