//! The page: its files, which are part of the program, and what somebody without a key is shown.

mod file;
mod help;

pub(crate) use file::{File, Keep};
pub(crate) use help::{STYLE, help};
