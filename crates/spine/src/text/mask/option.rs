//! Secrets in command lines: an option is looked up first, and only then the program before it.

use super::table::{FED, OPTIONS, OptionRow, Place};
use super::value::{BLANKS, bare_end, is_reference, quote_at, skip, value};

/// A program stands at most so far before its option.
const BEFORE: usize = 256;
/// And is one of so many first or last words before it.
const FIRST: usize = 4;
const LAST: usize = 12;

/// What the table says of an option.
pub(super) enum Known {
    /// It is none of a program that takes a secret.
    No,
    /// It is, and this is the secret, if there is one.
    Yes(Option<(usize, usize)>),
}

/// Looks at an option such as `-p` or `/user:`, which stands from `at` to `end`.
pub(super) fn known(text: &str, at: usize, end: usize) -> Known {
    let option = &text[at..end];
    let mut command = None;
    for row in OPTIONS {
        if row.is_option(option, text, end) {
            let command = command.get_or_insert_with(|| Command::before(text, at));
            if row.is_of(command) {
                return Known::Yes(row.secret(text, at, end, command));
            }
        }
    }
    Known::No
}

/// What is handed by a pipe to a program that takes secrets from one; it stands from `at` to `end`.
pub(super) fn fed(text: &str, at: usize, end: usize) -> Option<(usize, usize)> {
    FED.contains(&&text[at..end]).then_some(())?;
    piped(text, end, &Command::before(text, at))
}

impl OptionRow {
    fn is_option(&self, option: &str, text: &str, end: usize) -> bool {
        let is_attached = || {
            let more = option.strip_prefix(self.option);
            let behind = text.as_bytes().get(end);
            let goes_on = behind.is_some_and(|byte| !byte.is_ascii_whitespace());
            more.is_some_and(|more| !more.is_empty() || goes_on)
        };
        match self.place {
            Place::Attached => is_attached(),
            Place::Either => option == self.option || is_attached(),
            // Short options are written together: `-nbB`.
            Place::Last => {
                !option.starts_with("--")
                    && option[1..].contains(self.option.trim_start_matches('-'))
            }
            _ => option == self.option,
        }
    }

    fn is_of(&self, command: &Command<'_>) -> bool {
        let own = |(program, sub): &(&str, &str)| {
            let behind = command.runs(program, sub);
            match self.place {
                // What follows a word that is no option is the option of another program.
                Place::Either => {
                    behind.is_some_and(|words| words.iter().all(|(word, _)| word.starts_with('-')))
                }
                _ => *program == "*" || behind.is_some(),
            }
        };
        self.programs.iter().any(own)
    }

    fn secret(
        &self,
        text: &str,
        at: usize,
        end: usize,
        command: &Command<'_>,
    ) -> Option<(usize, usize)> {
        let attached = at + self.option.len();
        let next = || {
            let from = skip(text, end, b" \t=");
            let is_value = from > end && !text[from..].starts_with('-');
            is_value.then(|| value(text, from)).flatten()
        };
        match self.place {
            Place::Attached => not_a_port(text, value(text, attached)?),
            Place::Either if attached == end => next(),
            Place::Either => value(text, attached),
            Place::Next => next(),
            Place::Behind(mark) => {
                let (from, to) = next()?;
                // A comma may be the mark, where it else ends a word.
                let to = if quote_at(text, to).is_some() {
                    to
                } else {
                    blank_from(text, to)
                };
                let found = text[from..to].find(mark)?;
                left(text, from + found + mark.len(), to)
            }
            Place::After(mark) => {
                let (from, to) = next()?;
                text[from..to].starts_with(mark).then_some(())?;
                left(text, from + mark.len(), to)
            }
            Place::Last => last_word(text, end),
            Place::Before => word_before(text, at, command),
            Place::Piped => piped(text, end, command),
            Place::Shown => None,
        }
    }
}

/// Where the next blank, quote or end of a command stands.
fn blank_from(text: &str, at: usize) -> usize {
    let ends =
        |byte: &u8| byte.is_ascii_whitespace() || ends_command(*byte) || b"\"'\\)".contains(byte);
    let found = text.as_bytes()[at..].iter().position(ends);
    found.map_or(text.len(), |found| at + found)
}

/// A secret that is not empty and no reference.
fn left(text: &str, from: usize, to: usize) -> Option<(usize, usize)> {
    (from < to && !is_reference(&text[from..])).then_some((from, to))
}

/// `-p3306:3306` is no password.
fn not_a_port(text: &str, (from, to): (usize, usize)) -> Option<(usize, usize)> {
    let word = &text[from..to];
    let is_port = word.contains(':')
        && word
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b':');
    (!is_port).then_some((from, to))
}

fn ends_command(byte: u8) -> bool {
    matches!(byte, b'\n' | b';' | b'|' | b'&' | b'(' | b'`')
}

/// The last word of the command that goes on at `end`.
fn last_word(text: &str, end: usize) -> Option<(usize, usize)> {
    let mut last = None;
    let mut at = skip(text, end, BLANKS);
    while at < text.len() && at < end + BEFORE && !ends_command(text.as_bytes()[at]) {
        let word = match quote_at(text, at) {
            Some(_) => value(text, at),
            None => (bare_end(text, at) > at).then(|| (at, bare_end(text, at))),
        };
        let (from, to) = word?;
        last = Some((from, to)).filter(|_| !is_reference(&text[from..]));
        let quoted = usize::from(quote_at(text, at).is_some());
        at = skip(text, (to + quoted).min(text.len()), BLANKS);
    }
    last
}

/// The word before an option, unless it is a place: `net use Z: \\host\share secret /user:name`.
fn word_before(text: &str, at: usize, command: &Command<'_>) -> Option<(usize, usize)> {
    let (word, _) = *command.words().last()?;
    let from = word.as_ptr() as usize - text.as_ptr() as usize;
    let is_place =
        word.contains('\\') || word.ends_with(':') || word == "*" || word.starts_with('/');
    let is_command = command.count < 3;
    (!is_place && !is_command && from < at).then_some(())?;
    left(text, from, from + word.len())
}

/// What `echo` or `printf` hands to the command, or what stands behind `<<<`.
fn piped(text: &str, end: usize, command: &Command<'_>) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let begin = command.begin;
    let is_pipe = begin > 0 && bytes[begin - 1] == b'|' && (begin < 2 || bytes[begin - 2] != b'|');
    if !is_pipe {
        let line = text[end..].split('\n').next().unwrap_or_default();
        let string = end + line.find("<<<")? + 3;
        return value(text, skip(text, string, BLANKS));
    }
    let before = &text[boundary(text, (begin - 1).saturating_sub(BEFORE))..begin - 1];
    let before = before.rsplit('\n').next().unwrap_or_default();
    let writer = |name: &str| before.rfind(name).map(|found| found + name.len());
    let said = writer("echo ").max(writer("printf "))?;
    let mut words = before[said..].trim();
    while let Some(rest) = words
        .strip_prefix("-n ")
        .or_else(|| words.strip_prefix("-e "))
    {
        words = rest.trim_start();
    }
    let known = words.is_empty()
        || words.contains(super::MASKED)
        || words.trim_start_matches(['"', '\'']).starts_with('$');
    let from = words.as_ptr() as usize - text.as_ptr() as usize;
    (!known).then_some((from, from + words.len()))
}

/// A word of a command, and the one before it.
type Word<'a> = (&'a str, &'a str);

/// The words of a command before one of its options; of many, the first and the last.
struct Command<'a> {
    /// Where it begins.
    begin: usize,
    words: [Word<'a>; FIRST + LAST],
    count: usize,
}

impl<'a> Command<'a> {
    fn before(text: &'a str, at: usize) -> Self {
        let far = boundary(text, at.saturating_sub(BEFORE));
        let ends = |byte: &u8| ends_command(*byte);
        let begin = text.as_bytes()[far..at].iter().rposition(ends);
        let mut command = Self {
            begin: begin.map_or(far, |found| far + found + 1),
            words: [("", ""); FIRST + LAST],
            count: 0,
        };
        let parts = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'');
        let (mut from, mut before) = (command.begin, "");
        for word in text.as_bytes()[from..at].split(parts) {
            let to = from + word.len();
            if from < to {
                command.add((&text[from..to], before));
                before = &text[from..to];
            }
            from = to + 1;
        }
        command
    }

    fn add(&mut self, word: Word<'a>) {
        if self.count == self.words.len() {
            self.words[FIRST..].rotate_left(1);
            self.count -= 1;
        }
        self.words[self.count] = word;
        self.count += 1;
    }

    fn words(&self) -> &[Word<'a>] {
        &self.words[..self.count]
    }

    /// The words behind a program, if it is run, and with a certain word if one is named.
    fn runs(&self, program: &str, sub: &str) -> Option<&[Word<'a>]> {
        let is_it = |(word, before): &Word<'_>| {
            let named = before.starts_with("--") && !before.contains('=');
            let base = || word.rsplit(['/', '\\']).next().unwrap_or_default();
            let base = || base().strip_suffix(".exe").unwrap_or(base());
            // Most words are shorter, or other ones at their end already.
            word.len() >= program.len() && !word.starts_with('-') && !named && base() == program
        };
        let at = self.words().iter().position(is_it)?;
        let behind = &self.words()[at + 1..];
        (sub.is_empty() || behind.iter().any(|(word, _)| *word == sub)).then_some(behind)
    }
}

/// The next place from `at` on where a text may be cut.
pub(super) fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}
