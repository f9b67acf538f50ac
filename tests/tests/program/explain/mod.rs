//! `explain`: what would be done with an event, and that nothing is.

mod asked;
mod errors;
mod strange;
mod usual;
