//! Technical text behind placeholders, so that whoever rewrites a line cannot change it.
//!
//! It is found in one pass, and a bracket of ours that stands in a line is masked like everything
//! else. So every bracket in a masked text is ours, and `unmask(mask(x)) == x` for every x.

use std::fmt::Write as _;

const OPEN: char = '⟦';
const CLOSE: char = '⟧';

/// A line whose technical text is kept aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Masked {
    pub text: String,
    kept: Vec<String>,
}

/// Why a rewrite cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spoiled {
    /// A placeholder is missing.
    Lost,
    /// There is one that was not there, or one twice.
    Invented,
}

impl Masked {
    /// Puts the technical text of a line aside.
    pub fn of(line: &str) -> Self {
        let mut masked = Self {
            text: String::with_capacity(line.len()),
            kept: Vec::new(),
        };
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let length = match code(rest) {
                Some(length) => masked.keep(&rest[..length]),
                None if first.is_whitespace() => masked.pass(&rest[..first.len_utf8()]),
                None => masked.word(rest),
            };
            rest = &rest[length..];
        }
        masked
    }

    /// How many pieces were put aside.
    pub fn count(&self) -> usize {
        self.kept.len()
    }

    /// Puts them back into a text that has every placeholder exactly once.
    pub fn unmask(&self, text: &str) -> Result<String, Spoiled> {
        let mut seen = vec![false; self.kept.len()];
        let mut line = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find([OPEN, CLOSE]) {
            line.push_str(&rest[..at]);
            let (number, length) = placeholder(&rest[at..]).ok_or(Spoiled::Invented)?;
            let seen = seen.get_mut(number).ok_or(Spoiled::Invented)?;
            if std::mem::replace(seen, true) {
                return Err(Spoiled::Invented);
            }
            line.push_str(&self.kept[number]);
            rest = &rest[at + length..];
        }
        line.push_str(rest);
        if seen.contains(&false) {
            return Err(Spoiled::Lost);
        }
        Ok(line)
    }

    /// Takes the word at the front, and with a number the unit behind it; says how long that was.
    fn word(&mut self, rest: &str) -> usize {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let end = rest[..end].find('`').map_or(end, |tick| tick.max(1));
        let word = &rest[..end];
        let core = word.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '"', '\'', '…']);
        let start = core.len() - core.trim_start_matches(['(', '"', '\'']).len();
        if !is_technical(&core[start..]) {
            return self.pass(word);
        }
        let is_bare = core.len() == word.len();
        let unit = is_bare.then(|| unit(&core[start..], &rest[end..]));
        self.pass(&rest[..start]);
        let length = core.len() + unit.unwrap_or_default();
        self.keep(&rest[start..length]);
        length
    }

    fn pass(&mut self, text: &str) -> usize {
        self.text.push_str(text);
        text.len()
    }

    fn keep(&mut self, text: &str) -> usize {
        // Writing into a string does not fail.
        let _ = write!(self.text, "{OPEN}{}{CLOSE}", self.kept.len() + 1);
        self.kept.push(text.to_owned());
        text.len()
    }
}

/// The number of the placeholder at the front, counted from nought, and its length.
fn placeholder(text: &str) -> Option<(usize, usize)> {
    let inner = text.strip_prefix(OPEN)?;
    let end = inner.find(CLOSE)?;
    let number: usize = inner[..end].trim().parse().ok()?;
    Some((
        number.checked_sub(1)?,
        OPEN.len_utf8() + end + CLOSE.len_utf8(),
    ))
}

/// The length of the code at the front: a block, or a span within one line.
fn code(rest: &str) -> Option<usize> {
    for fence in ["```", "`"] {
        let Some(inner) = rest.strip_prefix(fence) else {
            continue;
        };
        let end = inner.find(fence).filter(|end| *end > 0)?;
        let is_span = fence.len() == 1;
        if !is_span || !inner[..end].contains('\n') {
            return Some(end + 2 * fence.len());
        }
    }
    None
}

/// Whether a word is a name, a path, an address, a number, an option: nothing that has a synonym.
fn is_technical(word: &str) -> bool {
    let has = |chars: &[char]| word.contains(chars);
    let mut letters = word.chars().filter(|char| char.is_alphabetic());
    has(&[
        OPEN, CLOSE, '/', '\\', '_', '@', '#', '$', '=', '{', '}', '<', '>', '|', '&', '~', '*',
        '`',
    ]) || word.contains("::")
        || word.contains("()")
        || word.starts_with('-') && word.len() > 1
        || word.chars().any(|char| char.is_ascii_digit())
        || has_inner_dot(word)
        || has_hump(word)
        || letters.clone().count() > 1 && letters.all(char::is_uppercase)
}

/// `config.yaml`, `os.path`: a dot with letters on both sides.
fn has_inner_dot(word: &str) -> bool {
    let mut parts = word.split('.');
    let is_part = |part: &str| !part.is_empty() && part.chars().all(char::is_alphanumeric);
    parts.clone().count() > 1 && parts.all(is_part)
}

/// `camelCase`, `PostToolUse`: a capital after a small letter.
fn has_hump(word: &str) -> bool {
    let mut pairs = word.chars().zip(word.chars().skip(1));
    pairs.any(|(left, right)| left.is_lowercase() && right.is_uppercase())
}

/// The length of a unit behind a number, with the space between them; 0 when there is none.
fn unit(number: &str, rest: &str) -> usize {
    const UNITS: &[&str] = &[
        "%", "percent", "ms", "s", "sec", "second", "seconds", "min", "minute", "minutes", "h",
        "hour", "hours", "day", "days", "B", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "byte",
        "bytes", "px", "Hz", "kHz", "MHz", "GHz", "tokens", "lines", "files", "tests", "errors",
        "warnings", "times",
    ];
    let Some(word) = rest.strip_prefix(' ') else {
        return 0;
    };
    let is_number = number
        .chars()
        .all(|char| char.is_ascii_digit() || matches!(char, '.' | ',' | '-' | '+'));
    let end = word
        .find(|char: char| !char.is_alphabetic() && char != '%')
        .unwrap_or(word.len());
    let follows = word[end..].chars().next();
    let is_word = follows.is_none_or(|char| char.is_whitespace() || ".,;:!?)".contains(char));
    if is_number && is_word && UNITS.contains(&&word[..end]) {
        1 + end
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn technical_text_is_put_aside() {
        for (line, masked) in [
            ("Run `npm test` now", "Run ⟦1⟧ now"),
            ("```py\nx=1\n``` done", "⟦1⟧ done"),
            ("visit https://a.b/c?d=1, please", "visit ⟦1⟧, please"),
            ("Edit config.yaml line 12.", "Edit ⟦1⟧ line ⟦2⟧."),
            ("It took 3.5 seconds, or 42 ms!", "It took ⟦1⟧, or ⟦2⟧!"),
            ("(see /etc/passwd) and ~/x", "(see ⟦1⟧) and ⟦2⟧"),
            ("v1.2.3 of PostToolUse failed", "⟦1⟧ of ⟦2⟧ failed"),
            (
                "set --force and -m on main_branch",
                "set ⟦1⟧ and ⟦2⟧ on ⟦3⟧",
            ),
            ("The JSON API is OK", "The ⟦1⟧ ⟦2⟧ is ⟦3⟧"),
            (
                "Plain words only. I think so.",
                "Plain words only. I think so.",
            ),
            ("Run ⟦1⟧ now", "Run ⟦1⟧ now"),
            ("an open ` tick", "an open ⟦1⟧ tick"),
            ("12 people", "⟦1⟧ people"),
        ] {
            let made = Masked::of(line);
            assert_eq!(made.text, masked, "{line}");
            assert_eq!(made.unmask(&made.text).as_deref(), Ok(line));
        }
    }

    #[test]
    fn a_rewrite_keeps_every_placeholder_once() {
        let masked = Masked::of("Run `a` and `b`");
        assert_eq!(masked.count(), 2);
        assert_eq!(
            masked.unmask("First ⟦2⟧, then ⟦ 1 ⟧!").as_deref(),
            Ok("First `b`, then `a`!")
        );
        for (text, spoiled) in [
            ("Only ⟦1⟧", Spoiled::Lost),
            ("None at all", Spoiled::Lost),
            ("⟦1⟧ ⟦2⟧ ⟦3⟧", Spoiled::Invented),
            ("⟦1⟧ ⟦1⟧ ⟦2⟧", Spoiled::Invented),
            ("⟦0⟧ ⟦1⟧ ⟦2⟧", Spoiled::Invented),
            ("⟦1⟧ ⟦2⟧ ⟦", Spoiled::Invented),
            ("⟦1⟧ ⟦2⟧ ⟧", Spoiled::Invented),
            ("⟦1⟧ ⟦two⟧", Spoiled::Invented),
            ("⟦99999999999999999999⟧", Spoiled::Invented),
        ] {
            assert_eq!(masked.unmask(text), Err(spoiled), "{text}");
        }
    }

    proptest! {
        #[test]
        fn unmasking_is_the_inverse_of_masking(line in "(\\PC|[ \n\t`⟦⟧0-9/_.A-Z]|```|⟦[0-9]⟧|__TECH_0__|[0-9]+ ms){0,40}") {
            let masked = Masked::of(&line);
            prop_assert_eq!(masked.unmask(&masked.text), Ok(line));
        }

        #[test]
        fn any_text_at_all(line in any::<String>()) {
            let masked = Masked::of(&line);
            prop_assert_eq!(masked.unmask(&masked.text), Ok(line));
        }
    }
}
