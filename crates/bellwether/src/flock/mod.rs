//! The flock in the terminal: every agent, whose child it is, and what it does.

mod colour;
mod detail;
mod draw;
mod keys;
mod line;
mod order;
mod plain;
mod screen;
mod source;
mod words;

pub(crate) use plain::table;
pub(crate) use screen::run as screen;
pub(crate) use source::{Seen, Source};
