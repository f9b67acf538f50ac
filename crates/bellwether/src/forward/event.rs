//! An event and where it comes from.

use std::path::Path;

use anyhow::Context as _;
use bellwether_protocol::client::{Client, Product};
use bellwether_protocol::fields::Fields;
use bellwether_spine::clock;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::Variables;

/// The version of the forwarder's contract that this keeps.
const FORWARDER: &str = "2.0.0";

#[derive(Serialize)]
struct Meta {
    #[serde(skip_serializing_if = "Option::is_none")]
    workspace_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    terminal_session_id: Option<String>,
    collected_at: String,
    forwarder_version: &'static str,
    /// `false` when nobody sits in front of the session, so that nobody is told of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    attended: Option<bool>,
}

/// The event with its `_meta`: in the place of one that it had, which counts where it says more.
pub(crate) fn enriched(text: &str, variables: Variables<'_>) -> anyhow::Result<String> {
    let fields =
        Fields::parse(text).map_err(|error| anyhow::anyhow!("it is no JSON object: {error}"))?;
    let meta = to_raw_value(&meta(&fields, variables))?;
    let mut parts: Vec<(&str, &RawValue)> = Vec::new();
    for (name, value) in fields.iter() {
        match parts.iter_mut().find(|(known, _)| *known == name) {
            Some(known) => known.1 = value,
            None => parts.push((name, value)),
        }
    }
    match parts.iter_mut().find(|(name, _)| *name == "_meta") {
        Some(known) => known.1 = &meta,
        None => parts.push(("_meta", &meta)),
    }
    let parts: Result<Vec<String>, _> = parts
        .iter()
        .map(|(name, value)| {
            Ok::<_, serde_json::Error>(format!("{}:{}", serde_json::to_string(name)?, value.get()))
        })
        .collect();
    Ok(format!(
        "{{{}}}",
        parts.context("write the event")?.join(",")
    ))
}

fn meta(fields: &Fields<'_>, variables: Variables<'_>) -> Meta {
    let given: Option<Fields<'_>> = fields.get("_meta");
    let text = |name: &str| {
        let given = given.as_ref()?.get::<std::borrow::Cow<'_, str>>(name)?;
        Some(given.into_owned())
    };
    Meta {
        workspace_id: text("workspace_id").or_else(|| workspace(variables)),
        terminal_session_id: text("terminal_session_id").or_else(|| variables("TERM_SESSION_ID")),
        collected_at: now(),
        forwarder_version: FORWARDER,
        attended: given
            .as_ref()
            .and_then(|given| given.get("attended"))
            .or_else(|| (!Client::default().is_attended(variables)).then_some(false)),
    }
}

fn workspace(variables: Variables<'_>) -> Option<String> {
    let current = || Some(std::env::current_dir().ok()?.display().to_string());
    let folder = Product::default().wire().variables.project(variables);
    let folder = folder.or_else(current)?;
    let name = Path::new(&folder).file_name()?;
    Some(name.to_string_lossy().into_owned())
}

/// The time as JavaScript writes it.
fn now() -> String {
    let now = i64::try_from(clock::wall_ms()).ok();
    let now = now
        .and_then(|ms| Timestamp::from_millisecond(ms).ok())
        .unwrap_or_default();
    now.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn variables(name: &str) -> Option<String> {
        let value = match name {
            "CLAUDE_PROJECT_DIR" => "/home/dev/my-shop",
            "TERM_SESSION_ID" => "term_1",
            _ => return None,
        };
        Some(value.to_owned())
    }

    fn meta_of(text: &str, variables: Variables<'_>) -> Value {
        let value: Value = serde_json::from_str(&enriched(text, variables).unwrap()).unwrap();
        value["_meta"].clone()
    }

    #[test]
    fn what_is_missing_is_added_and_what_is_there_stays() {
        let meta = meta_of(r#"{"hook_type":"Stop"}"#, &variables);
        assert_eq!(meta["workspace_id"], "my-shop");
        assert_eq!(meta["terminal_session_id"], "term_1");
        assert_eq!(meta["forwarder_version"], "2.0.0");
        let at = meta["collected_at"].as_str().unwrap();
        assert!(
            at.len() == 24 && at.ends_with('Z') && at.as_bytes()[19] == b'.',
            "{at}"
        );
        let meta = meta_of(
            r#"{"_meta":{"workspace_id":"w","terminal_session_id":"t","collected_at":"x","more":1}}"#,
            &variables,
        );
        assert_eq!(
            (&meta["workspace_id"], &meta["terminal_session_id"]),
            (&"w".into(), &"t".into())
        );
        assert!(meta["collected_at"] != "x" && meta["more"].is_null());
        assert!(meta["attended"].is_null(), "somebody may be there");
        let headless = |name: &str| match name {
            "CLAUDE_CODE_ENTRYPOINT" => Some("sdk-cli".to_owned()),
            name => variables(name),
        };
        assert_eq!(meta_of("{}", &headless)["attended"], false);
        let said = r#"{"_meta":{"attended":true}}"#;
        assert_eq!(meta_of(said, &headless)["attended"], true);
        let meta = meta_of("{}", &|name| {
            variables(name).filter(|_| name != "TERM_SESSION_ID")
        });
        assert!(meta.get("terminal_session_id").is_none());
    }

    #[test]
    fn the_rest_of_an_event_is_left_as_it_is() {
        let text = "{ \"z\": 1e400, \"a\":\"\\ud83d\", \"_meta\": null, \"n\": {\"b\" : [1.0]} }";
        let sent = enriched(text, &variables).unwrap();
        assert!(
            sent.starts_with(r#"{"z":1e400,"a":"\ud83d","_meta":{"workspace_id""#),
            "{sent}"
        );
        assert!(sent.ends_with(r#""n":{"b" : [1.0]}}"#), "{sent}");
        assert!(!sent.contains(r#""_meta":null"#));
    }

    #[test]
    fn what_is_no_object_is_refused() {
        for text in ["", "[]", "{", "7", "\"x\""] {
            assert!(enriched(text, &variables).is_err(), "{text}");
        }
    }
}
