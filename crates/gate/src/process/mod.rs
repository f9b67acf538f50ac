//! Processes with an end: started in sessions of their own, read while they run, and ended with all that they started.

mod capture;
mod guardian;
mod limits;
mod started;
mod sweep;

pub(crate) use capture::Capture;
pub(crate) use guardian::Guardian;
pub use guardian::guard;
pub use limits::{Limits, Stop};
pub(crate) use started::{Started, Streams, wait};
pub(crate) use sweep::{adopt, end_children, end_marked};

/// The variable by which a process of a run is known, wherever it has gone.
pub(crate) const MARK: &str = "BELLWETHER_GATE_RUN";
