//! The living flock: every agent that is there, what it does, and how that changes.
//!
//! Rows go in, in the order of the journal, and changes come out. The clock is the caller's. What is
//! here is also what is stored, so that a daemon goes on where the one before it ended.

mod agent;
mod background;
mod call;
mod change;
mod doubt;
mod flock;
mod hear;
mod pose;
mod session;
mod spend;
mod starting;
#[cfg(test)]
mod tests;
mod usage;
mod waiting;

pub use agent::{AgentRecord, AgentView, Employment, Refusal};
pub use change::Change;
pub use doubt::Doubt;
pub use flock::Flock;
pub use session::{AgentNode, SessionBrief, SessionRecord, SessionView};
pub use usage::{Measured, ModelUsage, SessionName, Spent, Usage};
