//! The voice that is part of the program: SVOX Pico, small, quick, six languages.

mod lingware;
mod memory;
mod speaker;

pub(super) use lingware::Lingware;
pub(super) use speaker::{RATE, Speaker, Step};
