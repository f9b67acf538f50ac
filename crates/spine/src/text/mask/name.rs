//! Names that say that their value is a secret, in any of the usual spellings: `DB_PASSWORD`, `apiKey`,
//! `x-api-key`, `github.token`.

use super::table::{Compared, NAMES, Name};

/// Only the end of a longer name is looked at.
const LONGEST: usize = 96;
/// And so many of its words.
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
    let mut buffer = [0; LONGEST];
    let split = Split::of(name.as_bytes(), &mut buffer);
    let words = split.words(&buffer);
    let words = &words[..split.count];
    let last = words.len().checked_sub(1)?;
    // Most names are about nothing of the kind; that is asked before what would make them none.
    let found = (0..words.len()).find_map(|at| row_at(words, at, last))?;
    let is_none = ABOUT.contains(&words[last]) || ASKS.contains(&words[0]);
    (!is_none).then_some(found)
}

fn row_at(words: &[&[u8]], at: usize, last: usize) -> Option<&'static Name> {
    let letter = words[at].last()?.wrapping_sub(b'a');
    let rows = NAMES.get(usize::from(letter))?;
    rows.iter().find(|row| row.fits(words, at, last))
}

impl Name {
    /// Whether the row's last word is the one at `at`.
    fn fits(&self, words: &[&[u8]], at: usize, last: usize) -> bool {
        let one = || {
            self.words
                .first()
                .is_some_and(|own| words[at].ends_with(own.as_bytes()))
        };
        let these = || {
            let own = self.words.iter().rev();
            let theirs = words[..=at].iter().rev();
            at + 1 >= self.words.len()
                && own
                    .zip(theirs)
                    .all(|(own, theirs)| own.as_bytes() == *theirs)
        };
        match self.how {
            Compared::Any => one(),
            Compared::Last => at == last && one(),
            Compared::End => at == last && these(),
            Compared::Pair => these(),
            Compared::Is => at == last && words.len() == self.words.len() && these(),
        }
    }
}

/// Where the words of a name stand, in small letters, in a buffer.
struct Split {
    places: [(usize, usize); WORDS],
    count: usize,
}

impl Split {
    fn of(name: &[u8], buffer: &mut [u8; LONGEST]) -> Self {
        let name = &name[name.len().saturating_sub(LONGEST)..];
        let mut split = Self {
            places: [(0, 0); WORDS],
            count: 0,
        };
        let (mut begin, mut before) = (0, b'_');
        for (at, (&byte, into)) in name.iter().zip(buffer.iter_mut()).enumerate() {
            let parted = !byte.is_ascii_alphanumeric();
            if parted || (byte.is_ascii_uppercase() && before.is_ascii_lowercase()) {
                split.add(begin, at);
                begin = if parted { at + 1 } else { at };
            }
            *into = byte.to_ascii_lowercase();
            before = byte;
        }
        split.add(begin, name.len());
        split
    }

    fn add(&mut self, from: usize, to: usize) {
        if from >= to {
            return;
        }
        if self.count == WORDS {
            self.places.rotate_left(1);
            self.count -= 1;
        }
        self.places[self.count] = (from, to);
        self.count += 1;
    }

    fn words<'a>(&self, buffer: &'a [u8; LONGEST]) -> [&'a [u8]; WORDS] {
        self.places.map(|(from, to)| &buffer[from..to])
    }
}
