//! What source code of another language does.

use crate::effect::How;
use crate::text::{Fill, Text};

/// A deed, and whether it is done whenever the source is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    pub deed: Deed,
    /// It stands outside of every function, loop and condition.
    pub sure: bool,
}

/// Something that source code does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// A command line is given to a shell.
    Shell(Text),
    /// A program is run with these words, of which the first is its name.
    Exec(Vec<Text>),
    /// A file or a folder is deleted.
    Delete { path: Text, recursive: bool },
    /// A file is written.
    Write { path: Text, how: How },
    /// A file or a folder is moved.
    Move { from: Text, to: Text },
    /// Who may do what with a file is changed.
    Permission {
        path: Text,
        /// What they get: `777`, an owner.
        what: String,
        recursive: bool,
    },
    /// Code is run that could not be read: what stands for it.
    Run(Text),
}

impl Deed {
    /// Code that is there, but too much or too deeply nested to be read.
    pub(super) fn unread(source: &str) -> Self {
        Self::Run(Text::hole(super::token::snippet(source), Fill::Anything))
    }
}
