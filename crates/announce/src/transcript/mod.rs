//! What the agent said last, from the end of its transcript, and all that was said, page by page.
//!
//! A transcript grows without end and its last lines are what counts, so it is read backwards and no
//! further than the answer, or than a fixed bound. Lines that are torn, foreign or of a side chain
//! are passed over.

mod backward;
mod ending;
mod entry;
mod hooks;
mod line;
mod page;
mod past;
mod projects;

use std::fs::File;
use std::path::Path;

pub use ending::{Ending, LastWords, Message};
pub use entry::{Entry, EntryKind, EntryRole};
pub use hooks::{CommandLine, HookCost, hook_costs};
pub use page::Page;
pub use past::Past;
pub use projects::Projects;

use crate::AnnounceError;

/// Whose lines count in a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// Those of the session's main agent: side chains are somebody else's.
    Main,
    /// Those of a subagent, whose own transcript is a side chain from its first line to its last.
    Subagent,
}

impl Whose {
    /// Whose transcript a file is, by the name that the client gives it.
    pub fn of(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("agent-") {
            Self::Subagent
        } else {
            Self::Main
        }
    }
}

/// How a transcript ends; `None` when the transcript is empty.
pub fn read(file: &File, path: &Path, whose: Whose) -> Result<Option<Ending>, AnnounceError> {
    let failed = |source| AnnounceError::Io {
        path: path.to_owned(),
        source,
    };
    let length = file.metadata().map_err(failed)?.len();
    read_to(file, length, path, whose)
}

/// How it ended when it was only so long.
pub fn read_to(
    file: &File,
    length: u64,
    path: &Path,
    whose: Whose,
) -> Result<Option<Ending>, AnnounceError> {
    let failed = |source| AnnounceError::Io {
        path: path.to_owned(),
        source,
    };
    ending::read(file, length, whose).map_err(failed)
}

/// How a transcript in memory ends.
pub fn of_text(text: &[u8], whose: Whose) -> Option<Ending> {
    // Memory does not fail to be read.
    ending::read(text, text.len() as u64, whose).ok().flatten()
}
