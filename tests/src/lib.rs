//! The rig: the real client, driven offline.
//!
//! The model is a fake API that answers with the turns of a [`Scenario`].

pub mod events;
pub mod fake_api;
pub mod recorder;
pub mod scenario;
pub mod scenarios;

mod cue;
mod http;
mod message;

pub use recorder::Record;
pub use scenario::Scenario;
