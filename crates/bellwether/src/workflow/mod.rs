//! The planned work of a project, as the commands find, change and show it.

pub(crate) mod board;
mod place;
pub(crate) mod shown;

pub(crate) use place::{PATIENCE, Place};
