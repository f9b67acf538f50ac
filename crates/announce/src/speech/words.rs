//! Single words made fit to be spoken: paths become file names, addresses and emoji go.

use std::ops::Range;

/// A text with its words made fit; `code` is where inline code stands.
pub(super) fn spoken(text: &str, code: &[Range<usize>]) -> String {
    let plain = without_pictures(text);
    // Positions of code hold as long as nothing was taken out; a picture in it is rare.
    let code = if plain.len() == text.len() { code } else { &[] };
    let mut at = 0;
    let mut words = Vec::new();
    for word in plain.split_inclusive(char::is_whitespace) {
        let place = at..at + word.trim_end().len();
        at += word.len();
        words.extend(spoken_word(word.trim_end(), is_code(&plain, &place, code)));
    }
    words.join(" ")
}

/// Whether a word is inline code of one word.
fn is_code(text: &str, word: &Range<usize>, code: &[Range<usize>]) -> bool {
    code.iter().any(|code| {
        let inner = text.get(code.clone()).unwrap_or_default();
        word.contains(&code.start) && !inner.contains(char::is_whitespace)
    })
}

/// A word as it is spoken, if it is.
fn spoken_word(word: &str, is_code: bool) -> Option<String> {
    let (before, inner, after) = bare(word);
    let spoken = if is_address(inner) {
        let (before, after) = (
            before.trim_matches(['(', '<', '[']),
            after.trim_matches([')', '>', ']']),
        );
        format!("{before}{after}")
    } else {
        let name = file_name(inner, is_code).unwrap_or(inner);
        format!("{before}{name}{after}")
    };
    (!spoken.is_empty()).then_some(spoken)
}

/// A word without the punctuation around it.
fn bare(word: &str) -> (&str, &str, &str) {
    let start = word.len()
        - word
            .trim_start_matches(['(', '[', '"', '\'', '<', '“', '‘'])
            .len();
    let rest = &word[start..];
    let inner = rest.trim_end_matches([
        ')', ']', '"', '\'', '>', ',', '.', ';', ':', '!', '?', '”', '’', '…',
    ]);
    (&word[..start], inner, &rest[inner.len()..])
}

fn is_address(word: &str) -> bool {
    let scheme = word.split_once("://").map(|(scheme, _)| scheme);
    let is_scheme = |scheme: &str| {
        !scheme.is_empty()
            && scheme
                .chars()
                .all(|char| char.is_ascii_alphanumeric() || "+.-".contains(char))
    };
    scheme.is_some_and(is_scheme) || word.starts_with("www.") || word.starts_with("mailto:")
}

/// The last name of a path; `None` when the word is none. In code anything with a slash is
/// one, elsewhere it needs a beginning or an end by which it is known: "and/or" is no path.
fn file_name(word: &str, is_code: bool) -> Option<&str> {
    let path = without_place(word);
    let plain = |char: char| char.is_alphanumeric() || "_.-/~@+".contains(char);
    (path.contains('/') && path.chars().all(plain)).then_some(())?;
    let name = path
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .filter(|name| !name.is_empty())?;
    let known = ["/", "./", "../", "~/"]
        .iter()
        .any(|start| path.starts_with(start))
        || path.ends_with('/')
        || has_extension(name)
        || is_code;
    (known && name.chars().any(char::is_alphanumeric)).then_some(name)
}

fn has_extension(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        (1..=8).contains(&extension.len())
            && extension.chars().all(|char| char.is_ascii_alphanumeric())
            && extension.chars().any(|char| char.is_ascii_alphabetic())
            && !stem.is_empty()
    })
}

/// `src/main.rs:12:3` without the line and the column.
fn without_place(word: &str) -> &str {
    let mut path = word;
    while let Some((before, number)) = path.rsplit_once(':') {
        if number.is_empty()
            || !number
                .chars()
                .all(|char| char.is_ascii_digit() || char == '-')
        {
            break;
        }
        path = before;
    }
    path
}

/// The text without emoji and drawings, and with the apostrophe that everybody types.
fn without_pictures(text: &str) -> String {
    let kept = text.chars().filter(|char| !is_picture(*char));
    kept.map(|char| if char == '’' { '\'' } else { char })
        .collect()
}

fn is_picture(char: char) -> bool {
    matches!(char,
        '\u{200d}' | '\u{20e3}' | '\u{fe00}'..='\u{fe0f}' | '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}'
        | '\u{2500}'..='\u{27bf}' | '\u{2900}'..='\u{297f}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}
