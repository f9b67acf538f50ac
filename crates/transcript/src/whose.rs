//! Whose lines count in a transcript.

use std::path::Path;

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
