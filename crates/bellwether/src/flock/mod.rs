//! The flock in the terminal: every agent, whose child it is, and what it does.

mod colour;
mod line;
mod plain;
mod screen;
mod source;

pub(crate) use plain::table;
pub(crate) use screen::run as screen;
pub(crate) use source::{Seen, Source};
