//! A question that the person has answered with yes is not asked again in that session for the same effect, until something
//! that it rested on has changed.
//!
//! [`Rests`] is what a question is about: the effects as they were resolved, not the words that they were written in, and
//! the things on this machine that they would hit. A [`Print`] of it is a hash that also holds the state of those things. A
//! question that is asked leaves its print in a file; when the very call that it was about has run, the person has
//! said yes, and the print is kept for the session ([`kept`]).
//!
//! Architecture Invariants: a refusal is never remembered. What cannot be told in full, within bounds, is asked each
//! time. Only what a client itself has written to us counts ([`bellwether_spine::ancestry::sender`]): the question, its
//! end and the question that is not asked must come from one and the same process.

mod kept;
mod print;
mod rests;
#[cfg(test)]
mod tests;

pub use kept::{Consent, Question, find, is_open};
pub use print::Print;
pub use rests::{Lasts, Matter, Rests, Thing, Unsure};
