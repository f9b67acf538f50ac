//! What the analysis may ask about the machine. Everything is read, nothing is changed, and every
//! answer is bounded; a test can answer from memory.

use std::path::{Path, PathBuf};

/// The machine, as far as a command's meaning depends on it.
pub trait World {
    /// The value of an environment variable which the agent's shell surely has too.
    fn variable(&self, name: &str) -> Option<String>;
    /// The home of a user: `~name`.
    fn home_of(&self, user: &str) -> Option<PathBuf>;
    /// What is at a path, without following a link at its end.
    fn look(&self, path: &Path) -> Entry;
    /// The path with every link in it followed, when it exists.
    fn real(&self, path: &Path) -> Option<PathBuf>;
    /// The names in a folder: at most [`MOST_NAMES`].
    fn names(&self, folder: &Path) -> Vec<String>;
    /// The text of a regular file of at most [`MOST_BYTES`].
    fn read(&self, path: &Path) -> Result<String, Unreadable>;
    /// Whether the time for an answer is up.
    fn is_late(&self) -> bool;
    /// Whether so much of it is gone that the rest is needed for the command itself, and not for files that it runs.
    fn is_half_gone(&self) -> bool {
        self.is_late()
    }
    /// Where the daemon serves HTTP: whoever is ended by that number is ours.
    fn port(&self) -> Option<u16> {
        None
    }
    /// The name of the program that a process runs.
    fn process(&self, _: u32) -> Option<String> {
        None
    }
    /// What a git alias stands for in the repository around a folder.
    fn git_alias(&self, folder: &Path, name: &str) -> Option<String>;
}

/// The largest file that is read: no script that people write is longer.
pub const MOST_BYTES: u64 = 256 * 1024;
/// The most names of a folder that are looked at.
pub const MOST_NAMES: usize = 4096;

/// What is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// Nothing, or nothing that can be seen.
    Missing,
    /// A regular file.
    File,
    Folder,
    /// A symbolic link.
    Link,
    /// A block or character device.
    Device,
    /// A pipe, a socket.
    Other,
}

/// Why a file could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// There is none.
    Missing,
    /// It is no regular file.
    Irregular,
    /// It is larger than [`MOST_BYTES`].
    TooLong,
    /// It is no text: a program, a picture.
    Binary,
    /// The system does not let us.
    Refused,
}
