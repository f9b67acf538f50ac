//! The configuration engine: layers of trees, read into the structs that stand next to the code
//! that uses them; what the hook needs of it as a binary snapshot; and whose files are trusted.
//!
//! Architecture Invariant: nothing here knows YAML, nor any section. The big binary reads files
//! into trees and says which sections there are; the hook reads snapshots.

mod merge;
mod node;
mod problem;
mod read;
mod snapshot;
mod trust;

pub use merge::merge;
pub use node::{Key, Node, Origin, Place, Value};
pub use problem::{Problem, nearest};
pub use read::read;
pub use snapshot::{Freshness, Snapshot, Source, sources, try_to_make};
pub use trust::Trust;
