//! A payload made fit for one line of the journal: as sent, but for two things. Newlines between
//! tokens become spaces, and a string over a mebibyte is replaced by its length and hash.

use std::io::Write as _;

use memchr::memchr2;
use sha2::{Digest, Sha256};

use crate::place::hex;

/// Strings longer than this (as written, between their quotes) are replaced.
pub const STRING_MAX: usize = 1024 * 1024;
/// Of input that is no JSON at all, this much is kept.
const UNREADABLE_MAX: usize = 256 * 1024;

/// What came on stdin, as it goes into the journal.
#[derive(Debug, Clone, Copy)]
pub enum Payload<'a> {
    Json(&'a str),
    /// Anything else; kept as a JSON string.
    Unreadable(&'a str),
}

impl Payload<'_> {
    /// Writes the payload as one line of JSON.
    pub fn write_into(self, out: &mut Vec<u8>) {
        match self {
            Self::Json(text) if text.len() <= STRING_MAX => one_line(text, out),
            Self::Json(text) => shortened(text, out),
            Self::Unreadable(text) => {
                let kept = &text[..text.floor_char_boundary(UNREADABLE_MAX)];
                // Writing a string into a vector does not fail.
                let _ = serde_json::to_writer(out, kept);
            }
        }
    }
}

/// In valid JSON a raw control character stands only between tokens; the reader of payloads lets
/// some pass in keys too, and none may reach the journal.
fn one_line(text: &str, out: &mut Vec<u8>) {
    out.extend(text.trim_ascii().bytes().map(without_control));
}

fn without_control(byte: u8) -> u8 {
    if byte < b' ' { b' ' } else { byte }
}

fn shortened(text: &str, out: &mut Vec<u8>) {
    let mut rest = text.trim_ascii();
    while let Some(open) = rest.find('"') {
        let end = open + 1 + string_end(&rest.as_bytes()[open + 1..]);
        let string = &rest[open + 1..end];
        out.extend(rest[..=open].bytes().map(without_control));
        if string.len() > STRING_MAX {
            replace(string, out);
        } else {
            out.extend(string.bytes().map(without_control));
        }
        rest = &rest[end..];
        // The closing quote; valid JSON has one.
        if !rest.is_empty() {
            out.push(b'"');
            rest = &rest[1..];
        }
    }
    out.extend(rest.bytes().map(without_control));
}

fn replace(string: &str, out: &mut Vec<u8>) {
    let hash = hex(&Sha256::digest(string.as_bytes()));
    let _ = write!(out, "[bellwether: {} bytes, sha256 {hash}]", string.len());
}

/// Where the string that begins at the start of `bytes` ends: the place of its closing quote.
fn string_end(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = memchr2(b'"', b'\\', &bytes[at..]) {
        at += found;
        if bytes[at] == b'"' {
            return at;
        }
        at = (at + 2).min(bytes.len());
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn written(payload: Payload<'_>) -> String {
        let mut out = Vec::new();
        payload.write_into(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn line_breaks_between_tokens_become_spaces() {
        let text = "\n{\r\n \"a\":\n\"b\\nc\"\n}\n";
        assert_eq!(written(Payload::Json(text)), "{   \"a\": \"b\\nc\" }");
    }

    #[test]
    fn a_long_string_is_replaced_by_length_and_hash() {
        let (long, near) = ("x\\\"".repeat(STRING_MAX / 2), "y".repeat(STRING_MAX));
        let text = format!("{{\"long\":\n\"{long}\",\"near\":\"{near}\",\"end\":[1,\n2]}}");
        let value: Value = serde_json::from_str(&written(Payload::Json(&text))).unwrap();
        assert_eq!(value["near"], json!(near));
        assert_eq!(value["end"], json!([1, 2]));
        let note = value["long"].as_str().unwrap();
        assert!(
            note.starts_with(&format!("[bellwether: {} bytes, sha256 ", long.len())),
            "{note}"
        );
    }

    #[test]
    fn what_is_no_json_is_kept_as_a_bounded_string() {
        let text = "é{\n\u{1e}".repeat(100_000);
        let kept: String = serde_json::from_str(&written(Payload::Unreadable(&text))).unwrap();
        assert!(text.starts_with(&kept) && kept.len() > UNREADABLE_MAX - 4);
    }

    #[test]
    fn a_raw_control_character_in_a_key_does_not_reach_the_journal() {
        let text = "{\"a\u{1e}\nb\":1}";
        let (mut short, mut long) = (Vec::new(), Vec::new());
        one_line(text, &mut short);
        shortened(text, &mut long);
        assert_eq!(short, b"{\"a  b\":1}");
        assert_eq!(short, long);
    }

    proptest! {
        #[test]
        fn both_ways_of_writing_agree_and_keep_the_value(text in "[a-z\\\\\"\n\u{1e}é]{0,40}", pretty: bool) {
            let value = json!({ "k": text, "list": [text, 1, null, {"x": text}] });
            let sent = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
            let (mut short, mut long) = (Vec::new(), Vec::new());
            one_line(&sent, &mut short);
            shortened(&sent, &mut long);
            prop_assert_eq!(&short, &long);
            prop_assert!(!short.contains(&b'\n') && !short.contains(&0x1e));
            prop_assert_eq!(serde_json::from_slice::<Value>(&short).unwrap(), value);
        }
    }
}
