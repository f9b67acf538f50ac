//! Text that leaves us: masked of secrets and rid of what could steer a terminal, a voice or a
//! reader's eye. Whatever is derived from a payload goes through here.

mod json;
mod mask;
mod sanitise;

use std::borrow::Cow;

use serde_json::Value;

pub use json::mask_json;
pub use mask::{MASKED, mask};
pub use sanitise::{block, escaped_json, line};

/// One line of at most `max` characters, fit to be shown: masked, sanitised, and masked again once nothing
/// invisible stands in a key any more.
pub fn shown(text: &str, max: usize) -> String {
    let masked = mask(text.trim_ascii());
    if sanitise::is_line(&masked) {
        return sanitise::cut(&masked, max);
    }
    let clean = line(&masked, usize::MAX);
    line(&mask(&clean), max)
}

/// A name or an id without anything that steers. Nearly every one is already so.
pub fn shown_id(text: &str) -> Cow<'_, str> {
    if sanitise::is_block(text) && !text.contains(['\n', '\t']) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(line(text, usize::MAX))
}

/// The same of a text whose lines stay.
pub fn shown_block(text: &str) -> String {
    let masked = mask(text);
    if sanitise::is_block(&masked) {
        return masked.into_owned();
    }
    mask(&block(&masked)).into_owned()
}

/// The same of names and texts in JSON.
pub fn shown_json(value: &Value) -> Value {
    let masked = |value: &Value| serde_json::from_str(&mask_json(&value.to_string()));
    let first: Value = masked(value).unwrap_or_default();
    if json::is_clean(&first) {
        return first;
    }
    masked(&json::sanitise(first)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_key_with_something_invisible_in_it_is_masked() {
        let key = "sk-\u{200b}abcdefghijklmnopqrstuvwxyz0123456789";
        let shown = super::shown(key, 100);
        assert!(!shown.contains("abcdefghijkl"), "{shown}");
        let shown = super::shown_block(&format!("one\n{key}"));
        assert_eq!(
            shown,
            format!("one\n{}", super::mask(&key.replace('\u{200b}', "")))
        );
        let shown = super::shown_json(&serde_json::json!({"a\u{1b}[1m": [key]})).to_string();
        assert!(!shown.contains("abcdefghijkl"), "{shown}");
        assert!(!shown.contains("u001b"), "{shown}");
    }
}
