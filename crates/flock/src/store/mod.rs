//! The store: SQLite, one writer, many readers.
//!
//! Events, what follows from them (agents, sessions, counts) and the place in the journal up to which
//! they were read go into one transaction, so that whatever dies, an event is stored once and counted
//! once. Every commit is durable (`synchronous = FULL`).

mod agents;
mod events;
mod query;
mod read;
mod schema;
mod tallies;
#[cfg(test)]
mod tests;
mod traits;
mod write;

pub use read::Reader;
pub use schema::VERSION;
pub use traits::{Commit, Store, StoreReader};
pub use write::Sqlite;
