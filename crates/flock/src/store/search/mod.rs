//! Search: which events have these words.
//!
//! The words stand in a database of their own beside the store, filled by a thread behind it: taking
//! events is not held up by indexing them. Everything in it can be made again from the records, so a
//! lost or damaged one is begun anew. Only masked words go in.
//!
//! Words are kept in shelves of so many events each. An old shelf is dropped whole when its events have
//! gone, which costs nothing, and none grows so large that its parts take long to merge.

mod find;
mod index;
mod thread;

use std::path::{Path, PathBuf};

pub(super) use find::{Finder, searchable};
pub(super) use thread::Indexer;

/// So many events share a shelf.
const SHELF: i64 = 250_000;
/// What this program writes; another's is begun anew.
const VERSION: i64 = 1;

/// The file of the words, beside that of the store.
pub(super) fn path(store: &Path) -> PathBuf {
    let mut name = store.as_os_str().to_owned();
    name.push("-search");
    PathBuf::from(name)
}

/// The table of a shelf.
fn table(shelf: i64) -> String {
    format!("words_{shelf}")
}

/// Removes the file and those beside it; what is in it can be made again.
pub(super) fn remove(path: &Path) {
    for side in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(side);
        // One that is not there needs no removing.
        let _ = std::fs::remove_file(name);
    }
}
