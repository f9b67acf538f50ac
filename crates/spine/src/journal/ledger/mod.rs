//! Records that were answered as safe, until the journal's own file is on the disk too.
//!
//! A file that grows must have its new length noted by the file system, and waiting for that takes ten
//! times as long as waiting for bytes that replace others. So what must survive a loss of power is written
//! twice: into the journal, without waiting, and over the old bytes of this file of fixed length. One lap
//! through the file ends with one wait for the journal; the next begins at the front.
//!
//! Only a loss of power can take from the journal what was written there. Whoever starts after another
//! boot holds the last lap against the journal and appends what is missing ([`recover`]).

mod entry;
mod recover;
#[cfg(test)]
mod tests;
mod write;

use std::fs::File;
use std::path::{Path, PathBuf};

pub use recover::{discard, recover};
pub use write::{Ledger, Noted};

use crate::{Home, SpineError};

fn path(home: &Home) -> PathBuf {
    home.journal().join("ledger")
}

/// Sees that a file is there after a loss of power: it, and its name in its folder.
fn anchor(file: &File, path: &Path, folder: &Path) -> Result<(), SpineError> {
    let failed = |source| SpineError::io("write to the disk", path, source);
    file.sync_all().map_err(failed)?;
    let folder = File::open(folder).map_err(failed)?;
    folder.sync_all().map_err(failed)
}
