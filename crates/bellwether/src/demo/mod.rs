//! A minute with several agents, for somebody who has none yet: written events go through the real hook,
//! one process each, as the client would send them. What is blocked is blocked by the guard itself.

mod cast;
mod play;
mod scene;
mod sound;

pub(crate) use cast::is_its;
pub(crate) use play::{Pace, Stage};
