//! Planned work: what an event means for the workflow of its project, and what is answered.
//!
//! In a project without a workflow this costs one look at the disk, and only for events about tasks and teams.

mod act;
mod config;
mod desk;
mod heard;

pub(crate) use act::work;
pub use config::{Config, SECTION};
pub use desk::{Desk, tell};

#[cfg(test)]
mod tests;
