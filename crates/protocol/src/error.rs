//! The one way in which reading foreign JSON can fail.

use std::{error::Error, fmt};

/// The text is not one JSON object.
///
/// A value of an unexpected type inside an object is never an error: that field is then missing.
#[derive(Debug)]
pub struct ParseError(serde_json::Error);

impl ParseError {
    pub(crate) fn new(source: serde_json::Error) -> Self {
        Self(source)
    }

    /// The line of the first offending byte, counted from one.
    pub fn line(&self) -> usize {
        self.0.line()
    }

    /// The column of the first offending byte, counted from one; zero before the first byte.
    pub fn column(&self) -> usize {
        self.0.column()
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a JSON object: {}", self.0)
    }
}

impl Error for ParseError {}
