//! Claude Code: its payloads, its replies, and which of its versions knows what.
//!
//! The facts were recorded on version 2.1.325 and read in 248 published versions.

pub mod catalog;
pub mod feature;
mod parse;
pub mod payload;
pub mod reply;
pub mod version;

pub use parse::{parse, read};
