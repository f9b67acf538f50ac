//! The store: SQLite, one writer, many readers.
//!
//! Events, what follows from them (agents, sessions, counts) and the place in the journal up to which
//! they were read go into one transaction, so that whatever dies, an event is stored once and counted
//! once. Every commit is durable (`synchronous = FULL`).

mod agents;
mod checkpoint;
mod decisions;
mod derive;
mod events;
mod facts;
mod found;
mod people;
mod query;
mod read;
mod retention;
mod schema;
mod search;
mod spending;
#[cfg(test)]
mod story;
mod suspect;
mod table;
mod tallies;
#[cfg(test)]
mod tests;
mod timeline;
mod traits;
mod write;

pub use decisions::{Decision, DecisionFilter};
pub use read::Reader;
pub use retention::{Retention, Tidied};
pub use schema::VERSION;
pub use traits::{Commit, Store, StoreReader};
pub use write::Sqlite;
