//! What an effect would hit: a place in the file system, as far as it can be told.

use std::path::PathBuf;

/// One target of an effect.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Target {
    /// How it is shown to a person: the resolved path, with what is not known as it was written.
    pub shown: String,
    pub place: Place,
    /// Whether a symbolic link at its end is followed: a trailing slash, an entry of it.
    pub follows: bool,
    /// Whether what is not known of it was given to the file that does it, and does not come from that file.
    pub given: bool,
    /// The known text behind the last thing in it that is not known; empty where all of it is.
    pub end: String,
}

/// Where a target is. Paths are absolute, and `.` and `..` are worked out.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Place {
    At(PathBuf),
    /// Those entries of a folder whose names match a shell pattern; when `deep`, at any depth.
    Within {
        folder: PathBuf,
        /// The pattern that names must match; `*` is all of them.
        pattern: String,
        /// Also in folders of the folder.
        deep: bool,
    },
    /// It cannot be told; when a folder is known, somewhere below it.
    Unknown {
        /// The folder that it is surely below.
        below: Option<PathBuf>,
    },
}
