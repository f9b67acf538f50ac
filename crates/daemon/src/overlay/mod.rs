//! Starts the overlay with the first event of a display where a person sits, if the person wants that (`overlay.auto`).
//!
//! - Once a display and a daemon's life, and not where one has ended since the machine was started: then a person has
//!   ended it, or it fails.
//! - Never over SSH, for runs that nobody watches, or on another machine's display, which a project could have named.
//! - What it is started with comes from the client's own process, which no project's settings reach.

mod seats;
mod start;

pub(crate) use seats::{Seats, Seen};
pub(crate) use start::Starter;
