//! Secrets in sentences and in files of words: "the password is …", `비밀번호는 …`, netrc, SQL.

use super::option::boundary;
use super::table::{FOREIGN, Look, PHRASES, Phrase};
use super::value::{BLANKS, QUOTES, bare_end, is_reference, quote_at, skip, value};

/// What a name in a file of words stands behind is at most so far before it.
const BEFORE: usize = 200;
/// No word of a sentence that a secret follows is longer.
const LONGEST: usize = 12;
/// What is said of passwords at the end of a sentence.
const SAID_OF_PASSWORDS: [&str; 58] = [
    "wrong",
    "right",
    "correct",
    "incorrect",
    "required",
    "optional",
    "missing",
    "empty",
    "invalid",
    "valid",
    "weak",
    "strong",
    "secure",
    "insecure",
    "hashed",
    "salted",
    "masked",
    "hidden",
    "shown",
    "expired",
    "set",
    "unset",
    "changed",
    "unchanged",
    "stored",
    "saved",
    "kept",
    "encrypted",
    "decrypted",
    "generated",
    "random",
    "unique",
    "needed",
    "known",
    "unknown",
    "used",
    "unused",
    "reused",
    "shared",
    "safe",
    "unsafe",
    "compromised",
    "leaked",
    "rotated",
    "accepted",
    "rejected",
    "ignored",
    "supported",
    "mandatory",
    "short",
    "long",
    "good",
    "bad",
    "fine",
    "there",
    "different",
    "plaintext",
    "null",
];
/// What stands between a name and its secret in a sentence without a sign.
const PARTICLES: [&str; 6] = ["는", "은", "이", "가", "是", "は"];

/// The secret that follows a word of a sentence.
pub(super) fn secret(text: &str, at: usize, end: usize) -> Option<(usize, usize)> {
    // Most words stand before a sign, or are too long for a sentence.
    let is_spaced = matches!(text.as_bytes().get(end), Some(b' ' | b'\t'));
    (is_spaced && end - at <= LONGEST).then_some(())?;
    let word = &text[at..end];
    let said = |phrase: &&Phrase| phrase.word.eq_ignore_ascii_case(word);
    PHRASES
        .iter()
        .filter(said)
        .find_map(|phrase| phrase.secret(text, at, end))
}

impl Phrase {
    fn secret(&self, text: &str, at: usize, end: usize) -> Option<(usize, usize)> {
        let next = skip(text, end, BLANKS);
        (next > end).then_some(())?;
        if self.then == "login" {
            return is_login_file(text, at).then(|| value(text, next)).flatten();
        }
        let from = if self.then == "-" {
            next
        } else {
            let word = text.get(next..next + self.then.len())?;
            word.eq_ignore_ascii_case(self.then).then_some(())?;
            let behind = next + word.len();
            Some(skip(text, behind, BLANKS)).filter(|from| *from > behind)?
        };
        let quoted = quote_at(text, from).is_some();
        let (from, to) = value(text, from)?;
        match self.look {
            Look::Quoted => quoted.then_some((from, to)),
            Look::Strict => without_stop(text, from, to, is_key_like),
            Look::Loose if quoted => is_said_of(&text[from..to], false).then_some((from, to)),
            Look::Loose => without_stop(text, from, to, |word| is_password_like(text, from, word)),
        }
    }
}

/// The word without what ends a sentence, if it looks like a secret.
fn without_stop(
    text: &str,
    from: usize,
    to: usize,
    looks_so: impl FnOnce(&str) -> bool,
) -> Option<(usize, usize)> {
    let word = text[from..to].trim_end_matches(['.', '!', '?', ':']);
    looks_so(word).then_some((from, from + word.len()))
}

fn is_key_like(word: &str) -> bool {
    word.len() >= 6
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
        && word.bytes().all(|byte| byte.is_ascii_graphic())
}

fn is_password_like(text: &str, from: usize, word: &str) -> bool {
    let bytes = word.as_bytes();
    let any = |wanted: fn(&u8) -> bool| bytes.iter().any(wanted);
    let marks = |byte: &u8| b"!@#$%^&*~+=?_".contains(byte);
    let small = any(u8::is_ascii_lowercase) && bytes.iter().skip(1).any(u8::is_ascii_uppercase);
    if bytes.len() >= 4 && (any(u8::is_ascii_digit) || any(marks) || small) {
        return true;
    }
    // A plain word is one at the end of its sentence, unless it is what one says of passwords.
    let behind = text.as_bytes().get(from + word.len());
    let ends = behind.is_none_or(|byte| matches!(byte, b'.' | b'\n' | b'!'));
    ends && is_said_of(word, true)
}

/// Whether a word is none of what is said of passwords.
fn is_said_of(word: &str, plain: bool) -> bool {
    let is_plain = word.len() >= 6 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    (is_plain || !plain) && !SAID_OF_PASSWORDS.contains(&word)
}

/// Whether a netrc file has come to a password.
fn is_login_file(text: &str, at: usize) -> bool {
    let before = &text[boundary(text, at.saturating_sub(BEFORE))..at];
    let mut words = before.split_ascii_whitespace();
    let begins = words.any(|word| word == "machine" || word == "default");
    begins && words.any(|word| word == "login" || word == "account")
}

/// The secret behind a name that is not written in ASCII.
pub(super) fn foreign(text: &str, at: usize) -> Option<(usize, usize)> {
    let rest = text.get(at..)?;
    let name = FOREIGN.iter().find(|name| rest.starts_with(**name))?;
    let end = at + name.len();
    let sign = skip(text, skip(text, end, QUOTES), BLANKS);
    for mark in [":", "=", "："] {
        if text[sign..].starts_with(mark) {
            return value(text, skip(text, sign + mark.len(), b" \t="));
        }
    }
    let particle = PARTICLES
        .iter()
        .find(|own| text[end..].starts_with(**own))?;
    let from = skip(text, end + particle.len(), BLANKS);
    if quote_at(text, from).is_some() {
        return value(text, from);
    }
    let end = bare_end(text, from);
    let word = &text[from..end];
    let word = &word[..word
        .find(|char: char| !char.is_ascii_graphic())
        .unwrap_or(word.len())];
    let word = word.trim_end_matches(['.', '!', '?', ':']);
    let looks_so = !is_reference(word) && is_password_like(text, from, word) && word.len() >= 4;
    looks_so.then_some((from, from + word.len()))
}

/// The password in a line of a `.pgpass` file, whose first field begins at `at`.
pub(super) fn pgpass(text: &str, at: usize) -> Option<(usize, usize)> {
    let line = text[at..].split(['\n', '\r']).next()?;
    (!line.contains([' ', '\t', '"', '\''])).then_some(())?;
    let fields: Vec<&str> = line.splitn(6, ':').collect();
    let &[host, port, database, user, password] = fields.as_slice() else {
        return None;
    };
    let is_number = |field: &str| field.bytes().all(|byte| byte.is_ascii_digit());
    let fits = !host.is_empty()
        && (port == "*" || (port.len() >= 2 && is_number(port)))
        && !is_number(database)
        && !user.is_empty()
        && !password.is_empty()
        && !is_reference(password);
    fits.then_some((at + line.len() - password.len(), at + line.len()))
}
