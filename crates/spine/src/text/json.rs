//! Masks secrets in JSON so that it stays JSON: strings are masked by what they say, and whatever
//! stands under the name of a secret is replaced whole.
//!
//! One pass without a stack of calls, so that no depth of nesting matters.

use std::borrow::Cow;

use serde_json::Value;

use super::mask::{MASKED, mask, secret_name};
use super::sanitise::{block, is_block};

/// Valid JSON with every secret replaced by [`MASKED`].
pub fn mask_json(text: &str) -> String {
    let mut walk = Walk {
        out: String::with_capacity(text.len()),
        within: Vec::new(),
        named: Named::No,
    };
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => walk.string(rest),
            '{' | '[' => walk.open(first),
            '}' | ']' => walk.close(first),
            ',' => walk.comma(),
            '-' | '0'..='9' | 'a'..='z' => walk.bare(rest),
            _ => walk.copy(first),
        };
        rest = &rest[length..];
    }
    walk.out
}

/// Whether nothing in names and texts would be taken out.
pub(super) fn is_clean(value: &Value) -> bool {
    match value {
        Value::String(text) => is_block(text),
        Value::Array(items) => items.iter().all(is_clean),
        Value::Object(fields) => fields
            .iter()
            .all(|(name, value)| is_block(name) && is_clean(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
    }
}

/// The value without anything that steers a terminal, in names and in texts.
pub(super) fn sanitise(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(block(&text)),
        Value::Array(items) => items.into_iter().map(sanitise).collect(),
        Value::Object(fields) => {
            let clean = |(name, value): (String, Value)| (block(&name), sanitise(value));
            Value::Object(fields.into_iter().map(clean).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

struct Walk {
    out: String,
    /// For each container that is open, whether all in it is secret.
    within: Vec<bool>,
    /// Whether the value that comes next has the name of a secret.
    named: Named,
}

/// What the name of a value says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    No,
    /// It is secret, whatever it is.
    Secret,
    /// It is if it is a word of so many bytes at least.
    LongWord(usize),
}

impl Walk {
    fn is_secret(&self) -> bool {
        self.named == Named::Secret || self.within.last().is_some_and(|secret| *secret)
    }

    fn is_long_word(&self, words: &str) -> bool {
        matches!(self.named, Named::LongWord(least) if words.len() >= least && words != MASKED)
    }

    fn copy(&mut self, char: char) -> usize {
        self.out.push(char);
        char.len_utf8()
    }

    fn open(&mut self, char: char) -> usize {
        self.within.push(self.is_secret());
        self.named = Named::No;
        self.copy(char)
    }

    fn close(&mut self, char: char) -> usize {
        self.within.pop();
        self.named = Named::No;
        self.copy(char)
    }

    fn comma(&mut self) -> usize {
        self.named = Named::No;
        self.copy(',')
    }

    /// A number, `true`, `false` or `null`; nothing is no secret.
    fn bare(&mut self, rest: &str) -> usize {
        let ends =
            |char: char| !matches!(char, '-' | '+' | '.' | '0'..='9' | 'a'..='z' | 'A'..='Z');
        let length = rest.find(ends).unwrap_or(rest.len());
        let word = &rest[..length];
        if self.is_secret() && word != "null" {
            self.masked();
        } else {
            self.out.push_str(word);
        }
        length
    }

    fn masked(&mut self) {
        self.out.push('"');
        self.out.push_str(MASKED);
        self.out.push('"');
    }

    fn string(&mut self, rest: &str) -> usize {
        let length = string_length(rest);
        let raw = &rest[..length];
        let is_key = rest[length..].trim_start().starts_with(':');
        let words: Cow<'_, str> = serde_json::from_str(raw).unwrap_or_default();
        if is_key {
            self.named = match secret_name(&words) {
                Some(row) if row.query => Named::No,
                Some(row) if row.least > 0 => Named::LongWord(row.least),
                Some(_) => Named::Secret,
                None => Named::No,
            };
            self.out.push_str(raw);
        } else if (self.is_secret() || self.is_long_word(&words)) && !words.is_empty() {
            self.masked();
        } else {
            match mask(&words) {
                Cow::Borrowed(_) => self.out.push_str(raw),
                Cow::Owned(masked) => self.out.push_str(&Value::from(masked).to_string()),
            }
        }
        length
    }
}

/// The length of the string that begins here, with its quotes.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |at| at + 2)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn secrets_go_and_the_json_stays_json() {
        for (value, masked) in [
            (
                json!({"nextPageToken": null, "token": 5}),
                json!({"nextPageToken": null, "token": "[masked]"}),
            ),
            (
                json!({"credentials": {"user": "b", "pin": [1, true]}, "n": 1}),
                json!({"credentials": {"user": "[masked]", "pin": ["[masked]", "[masked]"]}, "n": 1}),
            ),
            (
                json!({"password": "ab\"cd"}),
                json!({"password": "[masked]"}),
            ),
            (
                json!({"command": "curl -H \"Authorization: Bearer x\" \\ y"}),
                json!({"command": "curl -H \"Authorization: Bearer [masked]\" \\ y"}),
            ),
            (
                json!({"text": "{\"apiKey\":\"x\"}"}),
                json!({"text": "{\"apiKey\":\"[masked]\"}"}),
            ),
            (json!({"password": ""}), json!({"password": ""})),
        ] {
            let text = mask_json(&value.to_string());
            assert_eq!(
                serde_json::from_str::<Value>(&text).unwrap(),
                masked,
                "{value}"
            );
        }
        assert_eq!(
            mask_json("{ \"a\" : 1 }"),
            "{ \"a\" : 1 }",
            "what needs no masking stays as it is"
        );
    }

    #[test]
    fn what_steers_a_terminal_is_gone_from_names_and_texts() {
        let value = json!({"a\u{1b}[31mb": ["\u{9b}2Jc\u{202e}d\ne"]});
        assert_eq!(sanitise(value), json!({"ab": ["cd\ne"]}));
    }

    #[test]
    fn depth_does_not_matter() {
        let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
        assert_eq!(mask_json(&deep), deep);
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "[a-z\"\\\\=: é\n]{0,12}|password: x|token=\"a\\\\\"b\"".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            let key = "[a-z\"]{0,6}|password|apiKey|token";
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::hash_map(key, inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn masked_json_is_json_and_masking_twice_is_masking_once(value in any_json()) {
            let once = mask_json(&value.to_string());
            prop_assert!(serde_json::from_str::<Value>(&once).is_ok(), "{}", once);
            prop_assert_eq!(mask_json(&once), once.clone());
        }
    }
}
