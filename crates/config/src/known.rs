//! Every key that a file can have, and how a value for it is typed in a terminal.

use std::path::Path;
use std::sync::OnceLock;

use bellwether_spine::config::nearest;
use serde_json::Value;

use crate::schema::kind;
use crate::{edit, yaml};

/// A setting, by what its schema says.
pub struct Known(&'static Value);

/// The schema, made once: it takes a moment.
fn schema() -> &'static Value {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    SCHEMA.get_or_init(crate::schema::schema)
}

/// Every setting, by its key with dots.
pub fn all() -> Vec<String> {
    let mut found = Vec::new();
    gather("", schema(), &mut found);
    found
}

fn gather(path: &str, schema: &Value, found: &mut Vec<String>) {
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}{name}");
        if schema["properties"].is_object() {
            gather(&format!("{path}."), schema, found);
        } else {
            found.push(path);
        }
    }
}

/// The setting at a key, or why there is none.
pub fn find(key: &str) -> Result<Known, String> {
    let mut schema = schema();
    for name in key.split('.') {
        let named = &schema["properties"][name];
        // In a map the person chooses the names.
        let any = &schema["additionalProperties"];
        schema = match (named, any) {
            (Value::Object(_), _) => named,
            (_, Value::Object(_)) if !name.is_empty() => any,
            _ => return Err(unknown(key)),
        };
    }
    Ok(Known(schema))
}

/// Says that there is no such key, with the nearest one that there is.
pub fn unknown(key: &str) -> String {
    let all = all();
    let mut known: Vec<&str> = all.iter().map(String::as_str).collect();
    known.extend(all.iter().filter_map(|key| Some(key.split_once('.')?.0)));
    let near = nearest(key, &known).map(|near| format!(" (did you mean `{near}`?)"));
    format!("there is no setting `{key}`{}", near.unwrap_or_default())
}

impl Known {
    /// What may stand there, in words.
    pub fn about(&self) -> String {
        kind(self.0)
    }

    /// Whether it is a section: its settings are set one by one.
    pub fn is_section(&self) -> bool {
        self.0["properties"].is_object()
    }

    /// A value as it is typed in a terminal. What does not fit is complained of where all values are.
    pub fn read(&self, typed: &str) -> Value {
        let is = |wanted: &str| match &self.0["type"] {
            Value::String(kind) => kind == wanted,
            Value::Array(kinds) => kinds.iter().any(|kind| kind == wanted),
            _ => false,
        };
        let is_word = self.0["enum"].is_array() || self.0["oneOf"].is_array();
        if is("null") && matches!(typed, "~" | "null") {
            return Value::Null;
        }
        match typed.to_ascii_lowercase().as_str() {
            "yes" | "on" if is("boolean") => return true.into(),
            "no" | "off" if is("boolean") => return false.into(),
            _ => {}
        }
        if is("array") && !typed.trim_start().starts_with('[') {
            let parts = typed.split(',').map(str::trim);
            return parts.filter(|part| !part.is_empty()).collect();
        }
        if is_word || is("string") {
            return typed.into();
        }
        match yaml::parse(Path::new("the value"), typed) {
            Ok(node) => edit::meaning(&node),
            Err(_) => typed.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_setting_is_found_and_a_wrong_one_is_answered_with_the_nearest() {
        let all = all();
        assert!(all.len() > 200, "{}", all.len());
        for key in &all {
            assert!(!find(key).unwrap().is_section(), "{key}");
        }
        assert!(find("audio").unwrap().is_section());
        assert!(!find("guard.rules.mine.enabled").unwrap().is_section());
        for (wrong, near) in [
            ("audio.volum", "audio.volume"),
            ("Guard.Enabled", "guard.enabled"),
            ("hooks.stop.voice.rat", "hooks.stop.voice.rate"),
            ("adio", "audio"),
        ] {
            let why = find(wrong).err().unwrap();
            assert!(why.ends_with(&format!("(did you mean `{near}`?)")), "{why}");
        }
        assert_eq!(find("").err().unwrap(), "there is no setting ``");
    }

    #[test]
    fn what_is_typed_is_read_as_what_the_setting_is() {
        for (key, typed, value) in [
            ("guard.enabled", "off", json!(false)),
            ("guard.enabled", "false", json!(false)),
            ("guard.mode", "strict", json!("strict")),
            ("daemon.port", "4821", json!(4821)),
            ("audio.volume", "0.5", json!(0.5)),
            ("audio.volume", "loud", json!("loud")),
            (
                "guard.protected_branches",
                "main, release/*",
                json!(["main", "release/*"]),
            ),
            ("guard.protected_branches", "[main]", json!(["main"])),
            ("guard.protected_branches", "", json!([])),
            (
                "guard.rules",
                "{a: {enabled: false}}",
                json!({"a": {"enabled": false}}),
            ),
            ("guard.rules.a.enabled", "no", json!(false)),
            ("voice.elevenlabs.style", "~", json!(null)),
            ("character.profile", "7", json!("7")),
        ] {
            assert_eq!(find(key).unwrap().read(typed), value, "{key} {typed}");
        }
    }
}
