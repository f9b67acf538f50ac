//! Masks secrets: keys by their shape, values by the name they are given, passwords by the command or the sentence
//! they stand in. Which kinds there are stands in `tables/secrets.tsv`.
//!
//! One pass over the text, no regular expressions. The text may be prose, a command line or JSON,
//! also JSON inside a JSON string. A reference such as `$TOKEN` is not a secret and stays.

mod address;
mod key;
mod name;
mod number;
mod option;
mod prose;
mod table;
#[cfg(test)]
mod tests;
mod value;

use std::borrow::Cow;

pub(super) use name::secret_name;
use option::Known;
use table::{FED, PHRASES, SHORTEST_KEY};
use value::{BLANKS, QUOTES, sign_behind, skip, value};

/// What stands in place of a secret.
pub const MASKED: &str = "[masked]";

/// The text with every secret replaced by [`MASKED`].
pub fn mask(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    let mut at = 0;
    while at < text.len() {
        let step = step(text, at);
        // What is handed on by a pipe stands before the command that shows it to be a secret.
        if let Some((from, to)) = step.secret.filter(|(from, _)| *from >= copied) {
            out.push_str(&text[copied..from]);
            out.push_str(MASKED);
            copied = to;
        }
        at = step.next;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// What was found at one place, and where to look next.
struct Step {
    secret: Option<(usize, usize)>,
    next: usize,
}

impl Step {
    fn past(next: usize) -> Self {
        Self { secret: None, next }
    }

    /// Over a secret; `end` is that of the run which showed it.
    fn over((from, to): (usize, usize), end: usize) -> Self {
        Self {
            secret: Some((from, to)),
            next: to.max(end),
        }
    }
}

/// Looks at what begins at `at`: only there is the text cut, so what lies between two places may be
/// passed over byte by byte.
fn step(text: &str, at: usize) -> Step {
    let bytes = text.as_bytes();
    let run = run_length(&bytes[at..]);
    if run == 0 {
        return between(text, at);
    }
    let end = at + run;
    let sign = sign_behind(text, end);
    let is_host = || bytes.get(end) == Some(&b'/') && bytes[at..end].contains(&b'.');
    let leads = || LEADS[usize::from(bytes[at])] >> run & 1 == 1;
    if run < SHORTEST_KEY && sign.is_none() && !leads() && !is_host() {
        return Step::past(end);
    }
    match secret(text, at, end, sign) {
        Some(found) => Step::over(found, end),
        None => Step::past(end),
    }
}

/// Looks at what is no name, key or number.
fn between(text: &str, at: usize) -> Step {
    let rest = &text.as_bytes()[at..];
    let found = match rest[0] {
        b':' if rest.starts_with(b"://") => return address::login(text, at + 3),
        b'/' => slash_option(text, at),
        b'*' if begins_line(text, at) => prose::pgpass(text, at),
        0xd0..=0xff => prose::foreign(text, at),
        _ => None,
    };
    match found {
        Some(found) => Step::over(found, at + 1),
        None => Step::past(at + 1),
    }
}

/// The secret that a run shows: itself, or what it is the name of.
fn secret(text: &str, at: usize, end: usize, sign: Option<usize>) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let run = &text[at..end];
    if bytes[at] == b'-' {
        if let Some(length) = private_key(&text[at..]) {
            return Some((at, at + length));
        }
        if let Known::Yes(found) = option::known(text, at, end) {
            return found;
        }
    }
    if let Some(length) = key::length(run, &text[at..]) {
        return Some((at, at + length));
    }
    if bytes[at].is_ascii_digit()
        && let Some(found) = number::secret(text, at, end)
    {
        return Some(found);
    }
    if bytes.get(end) == Some(&b'/') {
        return address::path(text, at, end);
    }
    if bytes.get(end) == Some(&b':')
        && begins_line(text, at)
        && let Some(found) = prose::pgpass(text, at)
    {
        return Some(found);
    }
    named_value(text, at, end, sign)
        .or_else(|| prose::secret(text, at, end))
        .or_else(|| option::fed(text, at, end))
}

/// A PEM block that holds a private key; without its end, the rest of the text.
fn private_key(rest: &str) -> Option<usize> {
    let body = rest.strip_prefix("-----BEGIN ")?;
    let title = &body[..body.find("-----")?];
    let plain = |char: char| char.is_ascii_uppercase() || char.is_ascii_digit() || char == ' ';
    let is_private = title.ends_with("PRIVATE KEY") || title.ends_with("PRIVATE KEY BLOCK");
    (is_private && title.chars().all(plain)).then_some(())?;
    let end = format!("-----END {title}-----");
    Some(
        rest.find(&end)
            .map_or(rest.len(), |found| found + end.len()),
    )
}

/// The options of other systems: `/user:name`.
fn slash_option(text: &str, at: usize) -> Option<(usize, usize)> {
    let end = at + 1 + run_length(&text.as_bytes()[at + 1..]);
    (text.as_bytes().get(end) == Some(&b':') && end > at + 1).then_some(())?;
    match option::known(text, at, end + 1) {
        Known::Yes(found) => found,
        Known::No => None,
    }
}

fn begins_line(text: &str, at: usize) -> bool {
    at == 0 || text.as_bytes()[at - 1] == b'\n'
}

/// Which bytes belong to a name, key or number: looked up, as every byte of every event is asked for.
static IN_RUN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        #[expect(clippy::cast_possible_truncation, reason = "it is below 256")]
        let letter = byte as u8;
        table[byte] = letter.is_ascii_alphanumeric() || matches!(letter, b'_' | b'-' | b'.');
        byte += 1;
    }
    table
};

/// What a short run begins with that may show a secret though no sign follows it, and how long it then is: an option, a
/// number, or a word of a sentence. A bit stands for a length; all are below [`SHORTEST_KEY`].
static LEADS: [u16; 256] = {
    let mut table = [0; 256];
    table[b'-' as usize] = u16::MAX;
    let mut digit = b'0';
    while digit <= b'9' {
        // The first group of a card's number, a bot's, a resident's, a card's.
        table[digit as usize] = (1 << 4) | (0b0111_1111 << 8);
        digit += 1;
    }
    let mut at = 0;
    while at < PHRASES.len() + FED.len() {
        let word = if at < PHRASES.len() {
            PHRASES[at].word.as_bytes()
        } else {
            FED[at - PHRASES.len()].as_bytes()
        };
        assert!(word.len() < SHORTEST_KEY, "a word of a sentence is short");
        table[word[0].to_ascii_lowercase() as usize] |= 1 << word.len();
        table[word[0].to_ascii_uppercase() as usize] |= 1 << word.len();
        at += 1;
    }
    table
};

/// How many characters of a name, key or number stand at the beginning.
fn run_length(text: &[u8]) -> usize {
    let ends = |byte: &u8| !IN_RUN[usize::from(*byte)];
    text.iter().position(ends).unwrap_or(text.len())
}

/// The value behind the name of a secret: `name=value`, `name: value`, `"name": "value"`,
/// `--name value`, `set name value`.
fn named_value(
    text: &str,
    start: usize,
    end: usize,
    sign: Option<usize>,
) -> Option<(usize, usize)> {
    let name = &text[start..end];
    let at = match sign {
        Some(sign) => skip(text, sign + 1, b" \t="),
        None => spaced_value(text, start, end)?,
    };
    if name == "Private-Lines" {
        return putty(text, at);
    }
    let row = secret_name(name)?;
    let is_query = || start > 0 && matches!(text.as_bytes()[start - 1], b'?' | b'&');
    (!is_folder(name, &text[at..]) && (!row.query || is_query())).then_some(())?;
    let (from, to) = match value::of_many(text, start, at) {
        Some(many) => many,
        None if row.line => value::values(text, start, at)?,
        None => value(text, at)?,
    };
    (to - from >= row.least).then_some((from, to))
}

/// Where the value of an option begins that has a blank before it, or that of a name which is set by a command.
fn spaced_value(text: &str, start: usize, end: usize) -> Option<usize> {
    let name = &text[start..end];
    let quoted = skip(text, end, QUOTES);
    let spaced = skip(text, quoted, BLANKS);
    (spaced > quoted && spaced < text.len()).then_some(())?;
    if name.starts_with('-') {
        let is_option = name.len() > 4 && !text[spaced..].starts_with('-');
        return is_option.then_some(spaced);
    }
    let before = text[..start].trim_end_matches([' ', '\t']);
    // A table of names has more than one blank behind them.
    let is_set = name.contains(['_', '.']) && before.len() < start && spaced == quoted + 1;
    (is_set && before.ends_with("set")).then_some(spaced)
}

/// The shell's own names for folders.
fn is_folder(name: &str, value: &str) -> bool {
    let value = value.trim_start_matches(['"', '\'', '\\']);
    matches!(name, "PWD" | "OLDPWD") && value.starts_with(['/', '~', '.', '$'])
}

/// The lines of a `PuTTY` file that hold the private key.
fn putty(text: &str, at: usize) -> Option<(usize, usize)> {
    let from = at + text[at..].find('\n')? + 1;
    let to = text[from..].find("Private-MAC");
    let to = to.map_or(text.len(), |found| from + found);
    (from < to && !text[from..].starts_with(MASKED)).then_some((from, to))
}
