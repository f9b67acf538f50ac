//! The live stream: what happens, told to whoever listens.
//!
//! Architecture Invariant: whoever listens has a place in the order of changes and one in the store, and
//! no buffer of its own. One that is too slow is told of the gap; one that takes nothing is cut off.

mod id;
mod listen;
mod missed;
mod only;
mod told;

pub(crate) use id::Id;
pub(crate) use listen::listen;
pub(crate) use only::{Only, WORDS};
pub(crate) use told::{ALL as TOLD, Told};
