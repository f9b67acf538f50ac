//! The hook: reads one event, answers it, puts it into the journal, wakes the daemon, and is gone.
//!
//! Architecture Invariant: the agent is never harmed by us. Whatever happens, the exit code is 0
//! (but where a handler asked for another) and stdout holds one JSON reply or nothing; our own
//! troubles are told elsewhere. The verdict is given before anything that may fail is tried.

// They panic when nobody reads.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod answer;
mod arguments;
mod child;
mod fallback;
pub mod format;
pub mod gate;
pub mod guard;
mod handled;
pub mod handlers;
pub mod input;
mod looked;
mod own;
mod page;
pub mod policy;
mod run;
mod session;
pub mod settings;
pub mod workflow;

pub use answer::{Afterwards, Answer, Deed, Doing, Settled, Wait, Waiting, Work, Worked};
pub use handled::{CalledBy, Handled};
pub use input::{MOST as EVENT_MAX, read_event};
pub use looked::Looked;
pub use run::{project_of, run};

/// The name of the way by which the client's own HTTP hooks come, where a hook has its registration.
pub const OVER_HTTP: &str = "http";
