//! What a check said, cut to what helps.

mod noise;
mod notes;
mod reason;
mod useful;

pub(crate) use notes::{joined, missing};
pub(crate) use reason::{late_before, reason};
pub(crate) use useful::{last_words, useful};
