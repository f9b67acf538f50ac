//! The rows of `tables/secrets.tsv`, as the build script writes them.

/// What a key is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Letters {
    /// Whatever may stand in a run.
    Run,
    Hex,
    /// Capitals and digits.
    Upper,
    Alnum,
    Digit,
    /// Letters, digits, `-` and `_`.
    Base64,
}

impl Letters {
    pub(super) fn has(self, byte: u8) -> bool {
        match self {
            Self::Run => true,
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Digit => byte.is_ascii_digit(),
            Self::Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'),
        }
    }
}

/// A key that is known by how it begins.
#[derive(Debug)]
pub(super) struct Start {
    pub prefix: &'static str,
    /// How long the rest is.
    pub least: usize,
    pub most: usize,
    pub letters: Letters,
    /// Both letters and digits stand in the rest.
    pub mixed: bool,
    /// A dot stands in the rest.
    pub dotted: bool,
    /// It may go on with `+`, `/` and `=`.
    pub padded: bool,
}

/// A part of a key whose whole form is known.
#[derive(Debug)]
pub(super) enum Part {
    Text(&'static str),
    /// So many letters of a kind, at least and at most.
    Some(Letters, usize, usize),
}

/// How the words of a name are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compared {
    /// One of them ends so.
    Any,
    /// The last one ends so.
    Last,
    /// The last ones are these.
    End,
    /// These stand next to each other.
    Pair,
    /// There are no others.
    Is,
}

/// The name of a secret.
#[derive(Debug)]
pub(crate) struct Name {
    pub how: Compared,
    pub words: &'static [&'static str],
    /// A shorter value is none.
    pub least: usize,
    /// The secret goes on to the end of its line.
    pub line: bool,
    /// It is one in the query of an address only.
    pub query: bool,
}

/// Where the secret of an option stands.
#[derive(Debug)]
pub(super) enum Place {
    /// `-psecret`
    Attached,
    /// `-p secret`
    Next,
    Either,
    /// `-u name:secret`: behind a mark in the next word.
    Behind(&'static str),
    /// `-passin pass:secret`: the next word begins so.
    After(&'static str),
    /// It is the last word of the command.
    Last,
    /// It is the word before the option.
    Before,
    /// It comes from the command before the pipe.
    Piped,
    /// There is none.
    Shown,
}

/// An option that is followed by a secret.
#[derive(Debug)]
pub(super) struct OptionRow {
    /// Whose option it is, each with the word that must follow; `*` is any.
    pub programs: &'static [(&'static str, &'static str)],
    pub option: &'static str,
    pub place: Place,
}

/// How a word must look to be a secret in a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    Loose,
    Strict,
    Quoted,
}

/// A word of a sentence that a secret follows.
#[derive(Debug)]
pub(super) struct Phrase {
    pub word: &'static str,
    /// What stands between them; `-` is nothing.
    pub then: &'static str,
    pub look: Look,
}

include!(concat!(env!("OUT_DIR"), "/secrets.rs"));
