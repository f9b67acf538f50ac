//! Where a value begins and ends: quoted, escaped in a string of JSON, or bare.

use super::MASKED;

/// What may stand around a name, and behind it.
pub(super) const QUOTES: &[u8] = b"\\\"'";
pub(super) const BLANKS: &[u8] = b" \t";
/// Words between a name and its secret: `Authorization: Bearer …`.
const SCHEMES: [&str; 10] = [
    "bearer",
    "basic",
    "token",
    "digest",
    "apikey",
    "ssws",
    "hmac",
    "negotiate",
    "ntlm",
    "splunk",
];
/// Schemes that are followed by many values, up to the end of the line.
const OF_MANY: [&str; 5] = ["digest", "aws4-hmac-sha256", "hawk", "oauth", "signature"];

/// Where a value begins and ends, the scheme before it left out.
pub(super) fn value(text: &str, at: usize) -> Option<(usize, usize)> {
    let mut from = at;
    loop {
        let opened = skip(text, from, b"\\");
        let quote = quote_at(text, opened);
        let (start, end) = match quote {
            Some(quote) => (opened + 1, closing(text, opened + 1, quote, opened - from)),
            None => (from, bare_end(text, from)),
        };
        let word = &text[start..end];
        let first = word.split_whitespace().next().unwrap_or_default();
        let next = skip(text, start + first.len(), BLANKS);
        if is_among(&SCHEMES, first) && next > start + first.len() {
            // A scheme before a bare secret; inside quotes the rest of the quotes is the secret.
            if quote.is_some() {
                return (next < end && !is_reference(&text[next..end])).then_some((next, end));
            }
            from = next;
            continue;
        }
        return (!word.is_empty() && !is_reference(&text[start..])).then_some((start, end));
    }
}

/// A value that goes on to the end of its line: several, with names of their own. `name` is where the name of all
/// of them begins.
pub(super) fn values(text: &str, name: usize, at: usize) -> Option<(usize, usize)> {
    let (from, to) = value(text, at)?;
    if quote_at(text, skip(text, at, b"\\")).is_some() || !text[from..to].contains('=') {
        return Some((from, to));
    }
    Some((from, line_end(text, name, from).max(to)))
}

/// What follows a scheme that has many values.
pub(super) fn of_many(text: &str, name: usize, at: usize) -> Option<(usize, usize)> {
    let end = bare_end(text, at);
    is_among(&OF_MANY, &text[at..end]).then_some(())?;
    let from = skip(text, end, BLANKS);
    let to = line_end(text, name, from);
    (from > end && from < to && !is_reference(&text[from..])).then_some((from, to))
}

/// The end of the line, or of the quotes that the name stands in.
fn line_end(text: &str, name: usize, from: usize) -> usize {
    let opened = text.as_bytes()[..name].last().copied();
    let opened = opened.filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    let ends = |byte: &u8| matches!(byte, b'\n' | b'\r') || Some(*byte) == opened;
    let end = text.as_bytes()[from..].iter().position(ends);
    let end = end.map_or(text.len(), |found| from + found);
    // Quotes that are escaped have their escapes before them.
    from + text[from..end].trim_end_matches(['\\', ' ', '\t']).len()
}

fn is_among(words: &[&str], word: &str) -> bool {
    words.iter().any(|own| own.eq_ignore_ascii_case(word))
}

pub(super) fn quote_at(text: &str, at: usize) -> Option<char> {
    let byte = text.as_bytes().get(at).copied();
    let quote = byte.filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    quote.map(char::from)
}

/// Whether a word only says where the secret is, or that it was taken out.
pub(super) fn is_reference(word: &str) -> bool {
    word.starts_with('$') || word.starts_with("{{") || word.starts_with(MASKED)
}

/// The end of a value in quotes that were escaped `depth` times: the next such quote with no more
/// escapes before it.
fn closing(text: &str, start: usize, quote: char, depth: usize) -> usize {
    let mut escapes = 0;
    for (at, char) in text[start..].char_indices() {
        match char {
            '\\' => escapes += 1,
            _ if char == quote && escapes <= depth => return start + at - escapes,
            '\n' => return start + at,
            _ => escapes = 0,
        }
    }
    text.len()
}

pub(super) fn bare_end(text: &str, start: usize) -> usize {
    let ends = |char: char| {
        char.is_whitespace()
            || matches!(
                char,
                '"' | '\'' | '`' | '\\' | ',' | ';' | '&' | '|' | ')' | '}' | ']' | '<' | '>'
            )
    };
    text[start..]
        .find(ends)
        .map_or(text.len(), |found| start + found)
}

/// Where the `=` or `:` stands that makes what ends at `end` a name. Most words are followed by another one: that
/// is seen sooner than what they mean.
pub(super) fn sign_behind(text: &str, end: usize) -> Option<usize> {
    let sign = skip(text, skip(text, end, QUOTES), BLANKS);
    matches!(text.as_bytes().get(sign), Some(b'=' | b':')).then_some(sign)
}

/// Where the first character stands, from `at` on, that is none of these ASCII ones.
pub(super) fn skip(text: &str, at: usize, over: &[u8]) -> usize {
    let rest = &text.as_bytes()[at..];
    let kept = rest.iter().position(|byte| !over.contains(byte));
    at + kept.unwrap_or(rest.len())
}
