//! Who a process belongs to: a person, or an agent that must not free itself of us.
//!
//! Variables and terminals can be had by anybody (`env -u`, `script`). Where a process comes from cannot be
//! chosen: its parents are walked. A process that left its parents (`setsid`, `nohup`, a tmux server) has none
//! left that would tell; it counts as a person's only when it is older than every client that runs, or when
//! something above it shows a login that an agent cannot make.
//!
//! Architecture Invariant: this is the one place for the rule. The commands and the daemon both ask here.

mod clients;
mod judge;
mod login;
mod sender;
mod system;
mod version;
#[cfg(test)]
mod tests;

pub use clients::Began;
pub use judge::{Origin, by_parents, origin};
pub use sender::sender;
pub use system::System;
pub use version::{running_version, version_of_file};

use std::path::PathBuf;

/// A process, as far as the rule looks at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    pub pid: u32,
    /// 0 for one that came from outside of this system's processes, as a container's first ones do.
    pub parent: u32,
    /// When it began, in the system's ticks since boot.
    pub began: u64,
    pub user: u32,
    /// The short name that the system keeps.
    pub name: String,
    pub session: u32,
    pub group: u32,
    /// The number of its terminal, 0 for none.
    pub terminal: i32,
    /// The group that this terminal listens to.
    pub foreground: i32,
}

/// The file that a process runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    pub path: PathBuf,
    /// Whether it is the system's, or has been there for a day: no agent has put it there just now.
    pub settled: bool,
}

/// The processes of a machine.
pub trait Processes {
    fn process(&self, pid: u32) -> Option<Process>;
    fn all(&self) -> Vec<u32>;
    fn program(&self, pid: u32) -> Option<Program>;
    /// The first words of its command line.
    fn words(&self, pid: u32) -> Vec<String>;
    /// A variable that it was started with.
    fn variable(&self, pid: u32, name: &str) -> Option<String>;
    /// The login that the system's own login manager put it into; nobody can enter one without logging in.
    fn login_scope(&self, pid: u32) -> Option<String>;
    /// The clients that are attached to a tmux server, which is asked over this socket.
    fn attached(&self, server: u32, socket: &str) -> Vec<u32>;
    /// The home folders whose clients count.
    fn homes(&self) -> Vec<String>;
}
