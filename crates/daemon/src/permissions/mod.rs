//! Permission requests that somebody with the page open may answer.
//!
//! Architecture Invariant: a hook waits only while somebody is watching, and nothing here keeps an agent: the terminal's
//! own dialog is there all the time, and where it would not be no hook is held. What is settled once is settled, by whoever came first.

mod change;
mod hear;
mod list;
mod place;
mod wait;
mod waiting;

pub(crate) use change::{Change, How};
pub(crate) use list::{Permissions, Unanswerable};
pub(crate) use place::Place;
pub(crate) use wait::Visit;
pub(crate) use waiting::{Request, Waiting};
