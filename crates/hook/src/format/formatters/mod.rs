//! The formatters: one file each, one `mod` line below.
//!
//! A file says which files it is for (`ENDINGS`), where a project uses it (`USED` for people, `is_used` for us), the names of its
//! programs and where a project has its own (`PROGRAMS`, `LOCAL`), how it is given a file (`WAY`) and how it is called.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::target::Target;

/// One formatter, as its file describes it.
#[derive(Debug, Clone, Copy)]
pub struct Formatter {
    pub name: &'static str,
    /// What the names of its files end in.
    pub endings: &'static [&'static str],
    /// Where a project uses it, for people.
    pub used: &'static str,
    pub(super) way: Way,
    programs: &'static [&'static str],
    local: &'static [&'static str],
    is_used: fn(&Target) -> bool,
    call: fn(&Target, &Path) -> Call,
}

/// How a formatter is given a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// It reads the text and says the new one.
    Stream,
    /// It writes the file itself.
    InPlace,
}

/// Words for a formatter, and the folder it is started in.
pub(super) struct Call {
    pub(super) words: Vec<OsString>,
    pub(super) folder: PathBuf,
}

impl Call {
    fn new(folder: &Path, words: &[&str]) -> Self {
        Self {
            words: words.iter().map(OsString::from).collect(),
            folder: folder.to_owned(),
        }
    }

    fn with(mut self, word: impl Into<OsString>) -> Self {
        self.words.push(word.into());
        self
    }
}

impl Formatter {
    /// Whether it is for this file, in a project that uses it.
    pub fn fits(&self, target: &Target) -> bool {
        let ending = target.ending();
        let is_for = ending.is_some_and(|ending| self.endings.contains(&ending.as_str()));
        is_for && (self.is_used)(target)
    }

    /// Where it is.
    pub fn program(&self, target: &Target) -> Option<PathBuf> {
        target.program(self.programs, self.local)
    }

    pub(super) fn call(&self, target: &Target, program: &Path) -> Call {
        (self.call)(target, program)
    }
}

/// Where projects have programs of their own.
pub(super) const OWN_FOLDERS: &[&str] = &[NODE, PYTHON[0], PYTHON[1]];
const NODE: &str = "node_modules/.bin";
const PYTHON: [&str; 2] = [".venv/bin", "venv/bin"];

macro_rules! formatters {
    ($($name:ident),* $(,)?) => {
        /// Every formatter, in the order in which they see a file.
        pub const ALL: &[Formatter] = &[$(Formatter {
            name: stringify!($name),
            endings: $name::ENDINGS,
            used: $name::USED,
            way: $name::WAY,
            programs: $name::PROGRAMS,
            local: $name::LOCAL,
            is_used: $name::is_used,
            call: $name::call,
        }),*];
    };
}

mod prettier;
mod markdownlint;
mod rustfmt;
mod ruff;
mod gofmt;

bellwether_listed::modules!(formatters, "src/format/formatters/mod.rs");

#[cfg(test)]
mod tests;
