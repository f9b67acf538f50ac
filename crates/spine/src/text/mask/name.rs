//! Names that say that their value is a secret, in any of the usual spellings: `DB_PASSWORD`, `apiKey`,
//! `x-api-key`, `github.token`.

use super::table::{Compared, NAMES, Name};

/// Only so many words of a name are looked at, its last ones.
const WORDS: usize = 16;
/// A name that ends so is about a secret and has none.
const ABOUT: [&[u8]; 20] = [
    b"name",
    b"file",
    b"stdin",
    b"path",
    b"policy",
    b"length",
    b"prompt",
    b"url",
    b"uri",
    b"endpoint",
    b"type",
    b"kind",
    b"ttl",
    b"count",
    b"limit",
    b"version",
    b"provider",
    b"fd",
    b"required",
    b"enabled",
];
/// A name that begins so asks for a secret.
const ASKS: [&[u8]; 6] = [b"ask", b"no", b"show", b"prompt", b"generate", b"require"];

/// The row that a name belongs to.
pub(crate) fn secret_name(name: &str) -> Option<&'static Name> {
    let split = Split::of(name.as_bytes());
    let words = &split.words[..split.count];
    let last = words.len().checked_sub(1)?;
    // Most names are about nothing of the kind; that is asked before what would make them none.
    let found = (0..words.len()).find_map(|at| row_at(words, at, last))?;
    let is_among =
        |all: &[&[u8]], word: &[u8]| all.iter().any(|own| own.eq_ignore_ascii_case(word));
    let is_none = is_among(&ABOUT, words[last]) || is_among(&ASKS, words[0]);
    (!is_none).then_some(found)
}

fn row_at(words: &[&[u8]], at: usize, last: usize) -> Option<&'static Name> {
    let letter = words[at].last()?.to_ascii_lowercase().wrapping_sub(b'a');
    let rows = NAMES.get(usize::from(letter))?;
    rows.iter().find(|row| row.fits(words, at, last))
}

impl Name {
    /// Whether the row's last word is the one at `at`.
    fn fits(&self, words: &[&[u8]], at: usize, last: usize) -> bool {
        match self.how {
            Compared::Any => self.ends(words[at]),
            Compared::Last => at == last && self.ends(words[at]),
            Compared::End => at == last && self.is(&words[..=at]),
            Compared::Pair => self.is(&words[..=at]),
            Compared::Is => at == last && words.len() == self.words.len() && self.is(words),
        }
    }

    fn ends(&self, word: &[u8]) -> bool {
        let own = self.words[0].as_bytes();
        let end = word.len().checked_sub(own.len());
        end.is_some_and(|end| word[end..].eq_ignore_ascii_case(own))
    }

    /// Whether these words end with the row's.
    fn is(&self, words: &[&[u8]]) -> bool {
        let mut pairs = self.words.iter().rev().zip(words.iter().rev());
        words.len() >= self.words.len()
            && pairs.all(|(own, word)| own.as_bytes().eq_ignore_ascii_case(word))
    }
}

/// The words of a name.
struct Split<'a> {
    words: [&'a [u8]; WORDS],
    count: usize,
}

impl<'a> Split<'a> {
    fn of(name: &'a [u8]) -> Self {
        let mut split = Self {
            words: [&[]; WORDS],
            count: 0,
        };
        let (mut begin, mut before) = (0, b'_');
        for (at, &byte) in name.iter().enumerate() {
            let parted = !byte.is_ascii_alphanumeric();
            if parted || (byte.is_ascii_uppercase() && before.is_ascii_lowercase()) {
                split.add(&name[begin..at]);
                begin = at + usize::from(parted);
            }
            before = byte;
        }
        split.add(&name[begin..]);
        split
    }

    fn add(&mut self, word: &'a [u8]) {
        if word.is_empty() {
            return;
        }
        if self.count == WORDS {
            self.words.rotate_left(1);
            self.count -= 1;
        }
        self.words[self.count] = word;
        self.count += 1;
    }
}
