//! What is wrong in a configuration: where, at which key, and what was probably meant.

use std::fmt;

use super::Place;

/// Something wrong in a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub place: Place,
    /// The keys that lead there, joined by dots.
    pub path: String,
    pub message: String,
    pub suggestion: Option<String>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.place)?;
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)?;
        match &self.suggestion {
            Some(suggestion) => write!(f, " (did you mean `{suggestion}`?)"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Problem {}

/// The known word that is nearest to what was written, if one is near enough.
pub fn nearest(written: &str, known: &[&str]) -> Option<String> {
    /// Below this two words have little in common.
    const NEAR: f64 = 0.8;
    let score = |word: &str| strsim::jaro_winkler(&written.to_ascii_lowercase(), word);
    known
        .iter()
        .map(|word| (score(word), *word))
        .filter(|(score, _)| *score >= NEAR)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, word)| word.to_owned())
}
