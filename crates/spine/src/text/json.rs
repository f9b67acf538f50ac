//! JSON that leaves us: every text in it masked and sanitised, and it stays JSON.
//!
//! Masking the written form would not do: a secret that is a number or an object would become
//! `[masked]` without quotes.

use serde_json::{Map, Value};

use super::mask::is_secret_name;
use super::{MASKED, block, mask};

/// The value, fit to be shown. Whatever has the name of a secret is masked as a whole.
pub fn json(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(shown(&text)),
        Value::Array(items) => items.into_iter().map(json).collect(),
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(field).collect::<Map<_, _>>())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

fn field((name, value): (String, Value)) -> (String, Value) {
    let harmless = match &value {
        Value::Null | Value::Bool(_) => true,
        // A reference to a secret is none.
        Value::String(text) => text.is_empty() || text.starts_with('$'),
        Value::Number(_) | Value::Array(_) | Value::Object(_) => false,
    };
    let value = match value {
        _ if is_secret_name(&name) && !harmless => MASKED.into(),
        value => json(value),
    };
    (shown(&name), value)
}

fn shown(text: &str) -> String {
    block(&mask(text))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn secrets_of_every_type_are_masked_and_it_stays_json() {
        let value = json!({
            "password": "two words", "apiKey": 12345, "credentials": {"user": "a"}, "token": null,
            "secret": "$FROM_ENV", "max_tokens": 4096,
            "list": ["Authorization: Bearer abc", "plain"],
        });
        let expected = json!({
            "password": "[masked]", "apiKey": "[masked]", "credentials": "[masked]", "token": null,
            "secret": "$FROM_ENV", "max_tokens": 4096,
            "list": ["Authorization: Bearer [masked]", "plain"],
        });
        assert_eq!(super::json(value), expected);
    }

    #[test]
    fn what_steers_a_terminal_is_gone_from_names_and_texts() {
        let value = json!({"a\u{1b}[31mb": "\u{9b}2Jc\u{202e}d\ne"});
        assert_eq!(super::json(value), json!({"ab": "cd\ne"}));
    }
}
