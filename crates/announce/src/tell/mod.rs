//! What is told: an event of a session becomes an announcement, or silence with its reason.
//!
//! Architecture Invariant: everything here is a function of the events and the times that it is
//! given. It reads no clock, plays nothing and waits for nothing, so that a recorded session can be
//! run through it again and says the same.

mod announcement;
mod announcer;
mod call;
mod markers;
mod moment;
mod queue;
mod session;
mod silence;

pub use announcement::{Announcement, Priority};
pub use announcer::{Announcer, Heard, Outcome, Settings, Told, goes_on, is_typed, silenced};
pub use markers::{Marker, Markers};
pub use moment::Transcripts;
pub(crate) use moment::{Moment, Said, Tell};
pub use queue::{Popped, Pushed, Queue};
pub(crate) use session::Session;
pub use silence::Silence;

#[cfg(test)]
mod tests;
