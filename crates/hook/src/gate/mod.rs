//! The gate: what will be committed is checked before the commit is made.
//!
//! The hook finds out which tree a commit would have and whether that tree has passed before. What has not is checked by the
//! big binary (`bellwether gate run`), which the hook waits for.

mod changes;
mod check;
mod config;
mod draft;
mod drafts;
mod git;
mod hint;
mod passes;
mod record;
mod report;
mod runner;
mod said;
mod scratch;
mod seen;
#[cfg(test)]
mod tests;
mod words;
mod work_tree;

pub(crate) use check::find;
pub use config::{Config, OnTimeout, SECTION, Step};
pub use passes::{Pass, Passes};
pub use report::{Outcome, Report, State, StepReport};
pub use seen::{SeenCommit, seen};
