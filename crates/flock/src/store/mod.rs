//! The store: SQLite, one writer, many readers.
//!
//! Events and the place in the journal up to which they were read go into one transaction, so that
//! whatever dies, an event is stored once. Every commit is durable (`synchronous = FULL`).

mod read;
mod schema;
#[cfg(test)]
mod tests;
mod write;

pub use read::{Filter, Reader};
pub use schema::VERSION;
pub use write::Store;
