//! The daemon: follows the journal, stores what it finds, and serves it.
//!
//! One a home, held together by the lock. The journal and the database have threads of their own;
//! sockets, signals and timers share one single-threaded runtime, which is all they need.

mod alarm;
mod announce;
pub mod control;
mod debug;
mod error;
mod exports;
mod failure;
mod fresh;
mod http;
mod log;
mod options;
mod overlay;
mod people;
mod permissions;
mod pipeline;
mod preferences;
mod program;
mod ring;
mod run;
mod serve;
mod shared;
mod socket;
mod sound;
mod updated;
mod watched;
mod workflows;

pub use announce::Decided;
pub use error::DaemonError;
pub use http::{NotRead, Rejected, Sent, encoded, openapi, reference};
pub use options::Options;
pub use run::run;
pub use updated::Difference;
