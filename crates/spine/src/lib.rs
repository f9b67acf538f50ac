//! What every part of bellwether stands on: where its files are, the journal, what may leave us as text, troubles,
//! and how a daemon is found, woken and started.
//!
//! Architecture Invariant: nothing here knows tokio, SQLite, HTTP, YAML or audio. The hook links this crate, and the
//! hook has about a millisecond.

pub mod ancestry;
pub mod chain;
pub mod clock;
pub mod config;
pub mod confirmed;
pub mod digest;
pub mod elf;
pub mod error;
pub mod file;
pub mod home;
pub mod journal;
pub mod launch;
pub mod lock;
pub mod managed;
pub mod memory;
pub mod meta;
pub mod notice;
pub mod overlay;
pub mod permission;
pub mod place;
pub mod signals;
pub mod text;
pub mod trouble;
pub mod wake;

/// Where the daemon serves HTTP, unless the person says otherwise.
pub const PORT: u16 = 4820;

pub use error::SpineError;
pub use home::Home;
pub use managed::Managed;

/// The program that a client starts at every event.
pub const HOOK: &str = "bellwether-hook";

/// The version of this program, as hooks and daemon tell it to each other.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
