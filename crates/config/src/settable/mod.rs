//! What of the person's settings can be changed by a click or a command: a short list of things that
//! harm nobody. All else is edited in the file.

mod kind;
mod list;

pub use kind::Kind;
pub use list::{all, find, schema};
