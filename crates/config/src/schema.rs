//! The JSON schema and the reference page, both from the doc comments of the sections.

use std::fmt::Write as _;

use serde_json::Value;

use crate::Config;

/// The JSON schema of the configuration file.
pub fn schema() -> Value {
    schemars::generate::SchemaSettings::draft07()
        .with(|settings| settings.inline_subschemas = true)
        .into_generator()
        .into_root_schema_for::<Config>()
        .to_value()
}

/// The reference page: every key with its type, its default and what it does.
pub fn reference() -> String {
    let mut page = String::from(
        "# Configuration\n\n\
         <!-- Made by `cargo xtask docs` from the doc comments of the settings; do not edit. -->\n\n\
         `config.yaml` in `$XDG_CONFIG_HOME/bellwether/` (usually `~/.config/bellwether/`) is yours; a project may have a\n\
         `.claude/bellwether.yaml`. Yours counts over the preset, the project's over yours, and `HOOK_DEBUG` and\n\
         `HOOK_PROJECT_DIR` over both (in the environment of the command that reads it: a hook passes none on). Until you have said `bellwether config trust` for its content, a project's file can\n\
         choose messages, be silent and make the guard stricter, but names no files. `bellwether config check` says what is wrong, with line and\n\
         column; what is wrong costs only its own section.\n\n\
         The announcer obeys `language`, `quiet` and `hooks`; what comes of them is in [announcements.md](announcements.md). `sound`\n\
         and `voice` of each announcement say how it is heard: [sound.md](sound.md), [voice.md](voice.md). Every message may have `{project}`, `{agent}` and `{command}`, beside\n\
         the placeholders that its row names; another one is a mistake.\n\n\
         A file that stands at `.claude/hooks/config.yaml`, or has the sections `global` and `hooks` and no other, is the notification kit's: where\n\
         neither it nor yours names a preset, `full` counts.\n\n\
         | key | type | default | what it does |\n|---|---|---|---|\n",
    );
    let defaults = serde_json::to_value(Config::default()).unwrap_or_default();
    rows("", &schema(), &defaults, &mut page);
    page
}

fn rows(path: &str, schema: &Value, default: &Value, page: &mut String) {
    let Some(properties) = schema["properties"].as_object() else {
        return;
    };
    for (name, schema) in properties {
        let path = if path.is_empty() {
            name.clone()
        } else {
            format!("{path}.{name}")
        };
        let default = &default[name];
        if schema["properties"].is_object() {
            rows(&path, schema, default, page);
        } else {
            let about = schema["description"]
                .as_str()
                .unwrap_or_default()
                .replace('\n', " ");
            // Writing into a string does not fail.
            let _ = writeln!(
                page,
                "| `{path}` | {} | `{default}` | {about} |",
                kind(schema)
            );
        }
    }
}

/// What may stand in a setting, in words.
pub(crate) fn kind(schema: &Value) -> String {
    let words = |values: &Value, key: &str| -> Option<String> {
        let words: Vec<&str> = values
            .as_array()?
            .iter()
            .filter_map(|value| value[key].as_str())
            .collect();
        (!words.is_empty()).then(|| words.join(", "))
    };
    words(&schema["oneOf"], "const")
        .or_else(|| {
            Some(
                schema["enum"]
                    .as_array()?
                    .iter()
                    .filter_map(Value::as_str)
                    .collect::<Vec<_>>()
                    .join(", "),
            )
        })
        .unwrap_or_else(|| match schema["type"].as_str() {
            Some("integer") => format!("whole number{}", bounds(schema)),
            Some("number") => format!("number{}", bounds(schema)),
            Some("boolean") => "true or false".to_owned(),
            Some("string") => "text".to_owned(),
            Some("array") => "list".to_owned(),
            Some("object") => "map".to_owned(),
            Some(other) => other.to_owned(),
            None => "anything".to_owned(),
        })
}

fn bounds(schema: &Value) -> String {
    match (schema["minimum"].as_f64(), schema["maximum"].as_f64()) {
        (Some(least), Some(most)) => format!(" from {least} to {most}"),
        _ => String::new(),
    }
}
