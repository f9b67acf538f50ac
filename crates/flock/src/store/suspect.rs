//! A mark beside the database that somebody has read damage in it. The writer may never come to the damaged pages;
//! whoever reads them, in whichever process, leaves word for it.

use std::path::{Path, PathBuf};

use crate::StoreError;

fn path(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".suspect");
    name.into()
}

/// Leaves word, if an error says that the file is damaged.
pub(super) fn note(error: StoreError) -> StoreError {
    if let StoreError::Database { path: database, .. } = &error
        && error.is_damage()
    {
        // One who may only read cannot leave word, and has the error to tell.
        let _ = std::fs::write(path(database), "");
    }
    error
}

/// Takes the mark away, and says whether there was one.
pub(super) fn take(database: &Path) -> bool {
    std::fs::remove_file(path(database)).is_ok()
}
