//! Takes out of a text what a terminal would obey and what would mislead a reader: escape
//! sequences, control characters, characters that turn the direction of writing or show nothing.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::iter::Peekable;
use std::str::Chars;

const ESCAPE: char = '\u{1b}';

/// The text without anything that steers; line breaks and tabs stay.
pub fn block(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            ESCAPE => escape(&mut chars),
            '\u{9b}' => control_sequence(&mut chars),
            '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => control_string(&mut chars),
            '\n' | '\t' => clean.push(char),
            _ if char.is_control() || misleads(char) => {}
            _ => clean.push(char),
        }
    }
    clean
}

/// The text as one line of at most `max` characters; runs of white space become one space, and a
/// line that was cut ends in "…".
pub fn line(text: &str, max: usize) -> String {
    let text = text.trim_ascii();
    if is_line(text) {
        return cut(text, max);
    }
    let clean = block(text);
    let mut words = clean.split_whitespace();
    let mut line = words.next().unwrap_or_default().to_owned();
    for word in words {
        line.push(' ');
        line.push_str(word);
        if line.len() > max.saturating_mul(4) {
            break;
        }
    }
    match line.char_indices().nth(max) {
        None => line,
        Some(_) => cut(&line, max),
    }
}

/// Whether nothing in a text would be taken out by [`block`].
pub(super) fn is_block(text: &str) -> bool {
    let stays = |char: char| matches!(char, '\n' | '\t') || !(char.is_control() || misleads(char));
    text.chars().all(stays)
}

/// Whether a text is one line already, with nothing in it that would be taken out. It is seen at a glance
/// at most texts, which are ASCII.
pub(super) fn is_line(text: &str) -> bool {
    let mut before = b' ';
    let plain = text.bytes().all(|byte| {
        let plain = matches!(byte, b' '..=b'~') && !(byte == b' ' && before == b' ');
        before = byte;
        plain
    });
    plain && before != b' '
}

/// The first `max` characters; what was cut ends in "…".
pub(super) fn cut(line: &str, max: usize) -> String {
    let place = |number: usize| {
        if line.is_ascii() {
            return (number < line.len()).then_some(number);
        }
        line.char_indices().nth(number).map(|(place, _)| place)
    };
    if line.len() <= max || place(max).is_none() {
        return line.to_owned();
    }
    match max.checked_sub(1) {
        None => String::new(),
        Some(kept) => format!("{}…", &line[..place(kept).unwrap_or(line.len())]),
    }
}

/// JSON in which nothing steers: what would is written as `\\u009b`, so that the values stay what they are. Such
/// characters stand in JSON only within texts.
pub fn escaped_json(json: &str) -> Cow<'_, str> {
    let steers = |char: char| !json_stays(char);
    if json.is_ascii() && !json.contains('\u{7f}') || !json.contains(steers) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 64);
    for char in json.chars() {
        if json_stays(char) {
            out.push(char);
            continue;
        }
        for unit in char.encode_utf16(&mut [0; 2]) {
            // Writing to memory does not fail.
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    Cow::Owned(out)
}

fn json_stays(char: char) -> bool {
    matches!(char, '\n' | '\r' | '\t') || !(char.is_control() || misleads(char))
}

/// What follows ESC: a control sequence, a string, or one more character.
fn escape(chars: &mut Peekable<Chars<'_>>) {
    match chars.peek() {
        Some('[') => {
            chars.next();
            control_sequence(chars);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            chars.next();
            control_string(chars);
        }
        Some(' '..='/') => {
            while chars.next_if(|char| matches!(char, ' '..='/')).is_some() {}
            chars.next_if(|char| matches!(char, '0'..='~'));
        }
        Some('0'..='~') => {
            chars.next();
        }
        _ => {}
    }
}

/// Parameters and intermediates up to a final character.
fn control_sequence(chars: &mut Peekable<Chars<'_>>) {
    while chars.next_if(|char| matches!(char, ' '..='?')).is_some() {}
    chars.next_if(|char| matches!(char, '@'..='~'));
}

/// Everything up to the terminator; an unterminated string ends with its line, so that it cannot
/// hide all that comes after it.
fn control_string(chars: &mut Peekable<Chars<'_>>) {
    while let Some(char) = chars.next_if(|char| *char != '\n') {
        match char {
            '\u{7}' | '\u{9c}' => return,
            ESCAPE => {
                chars.next_if_eq(&'\\');
                return;
            }
            _ => {}
        }
    }
}

/// Characters that change how others are shown, or that are not shown at all.
fn misleads(char: char) -> bool {
    matches!(char,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}' | '\u{feff}'
        | '\u{3164}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e01ef}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_steers_is_taken_out() {
        for (dirty, clean) in [
            ("plain", "plain"),
            ("\x1b[31mred\x1b[0m", "red"),
            ("\x1b]0;title\x07text", "text"),
            ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
            ("\x1b]52;c;unterminated\nnext", "\nnext"),
            ("\u{9b}2Jgone", "gone"),
            ("\x1bPq data\x1b\\after", "after"),
            ("\x1b(Bcharset", "charset"),
            ("bell\x07 back\x08 nul\0", "bell back nul"),
            ("cut \x1b", "cut "),
            ("cut \x1b[", "cut "),
            ("user\u{202e}gnp.exe", "usergnp.exe"),
            ("zero\u{200b}width\u{feff}", "zerowidth"),
            ("한국어 ok — é", "한국어 ok — é"),
            ("keep\ttab\nline", "keep\ttab\nline"),
        ] {
            assert_eq!(block(dirty), clean, "{dirty:?}");
        }
    }

    #[test]
    fn json_stays_the_same_json_and_steers_nothing() {
        let value = serde_json::json!({"a\u{9b}2J": "\u{202e}b\u{7f}\u{2028}한\u{e0041}\n"});
        let dirty = value.to_string();
        let clean = escaped_json(&dirty);
        assert!(clean.chars().all(json_stays), "{clean}");
        assert!(
            clean.contains("\\u009b") && clean.contains("\\udb40\\udc41"),
            "{clean}"
        );
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&clean).unwrap(),
            value
        );
        assert!(matches!(escaped_json("{\"a\":\"é\"}"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_line_is_one_line_and_bounded() {
        assert_eq!(line("  a\n\tb \r\n c ", 80), "a b c");
        assert_eq!(line("abcdef", 4), "abc…");
        assert_eq!(line("abcd", 4), "abcd");
        assert_eq!(line("日本語テキスト", 3), "日本…");
        assert_eq!(line("x", 0), "");
    }

    proptest! {
        #[test]
        fn nothing_that_steers_is_left(text in "(\\PC|[\u{1b}\u{9b}\u{9d}\u{7}\u{0}\n]|\\[|\\]){0,60}") {
            let clean = block(&text);
            prop_assert!(clean.chars().all(|c| c == '\n' || c == '\t' || !c.is_control()));
            prop_assert_eq!(block(&clean), clean.clone());
            prop_assert!(line(&text, 20).chars().count() <= 20);
        }
    }
}
