//! What git would do to a repository.

use std::path::PathBuf;

/// Something done to a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitEffect {
    /// The folder it is done in, when that is known.
    pub folder: Option<PathBuf>,
}
