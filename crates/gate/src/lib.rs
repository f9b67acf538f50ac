//! The gate's runner: finds a project's checks and runs them on what is about to be committed.
//!
//! Architecture Invariant: what is judged is a tree of git, never what merely lies in the work tree. A run leaves nothing
//! behind, however it ends: no process, no folder, nothing in the repository. Whether a project may be run at all is not
//! decided here; whoever calls asks its configuration first.

mod checks;
mod environment;
mod error;
mod explain;
mod git;
mod judge;
mod process;
mod record;
mod report;
mod request;
mod run;
mod stage;
mod steps;
mod tools;
mod tree;
mod words;

pub use error::GateError;
pub use explain::{Explained, StepExplained, explain, known_kinds, root_of};
pub use process::{Limits, Stop, guard};
pub use record::{Ended, Running, clear, last, running};
pub use report::{Outcome, Report, State, StepReport};
pub use request::{Notes, Remembered, Request, Watcher};
pub use run::run;
