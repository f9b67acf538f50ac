//! What an agent does, as somebody watching would say: states, what moves them, and timers.
//!
//! Pure: a state and a signal, or a state and a moment, become the next state.

mod life;
mod machine;
mod signal;
mod status;
mod timers;

pub use life::{Life, Wait};
pub use machine::next;
pub use signal::{Cue, Signal};
pub use status::Status;
pub use timers::{due, ring};
