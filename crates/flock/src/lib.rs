//! The flock: what the agents did. Today the store of events, in journal order.
//!
//! Architecture Invariant: this crate knows nothing of journal files, sockets or HTTP. The daemon
//! hands it events and takes out what it serves.

mod error;
mod event;
mod store;

pub use error::StoreError;
pub use event::{Row, Stored};
pub use store::{Filter, Reader, Store, VERSION};
