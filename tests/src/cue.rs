//! Which turn of which scenario a request asks for.
//!
//! The API keeps no state: a marker `[[script:NAME]]` in the conversation names the scenario, and the number of
//! assistant messages since the last marker is the turn. So subagents, resumed sessions and retries need nothing more.

use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use crate::obedient;
use crate::scenario::{self, Step};

/// What a request is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The conversation itself, of the session or a subagent.
    Talk,
    /// The summary a compaction asks for.
    Summary,
    /// An answer in a given schema: a session's title, a prompt hook's verdict.
    Structured,
    /// Any other errand of the client.
    Errand,
}

/// A request's place in the scenarios.
#[derive(Debug)]
pub(crate) struct Cue {
    pub(crate) kind: Kind,
    pub(crate) script: Option<String>,
    pub(crate) turn: usize,
}

impl Cue {
    pub(crate) fn of(request: &Value) -> Self {
        let messages = items(&request["messages"]);
        let marked = messages.iter().enumerate().rev().find_map(|(at, message)| {
            let name = marker(&words(message)).filter(|_| message["role"] == "user")?;
            Some((at, name))
        });
        let said_since = |at: usize| {
            let later = messages.iter().skip(at);
            later
                .filter(|message| message["role"] == "assistant")
                .count()
        };
        Self {
            kind: kind_of(request, messages),
            turn: marked.as_ref().map_or(0, |(at, _)| said_since(*at)),
            script: marked.map(|(_, name)| name),
        }
    }

    /// The answer to the request.
    pub(crate) fn step(&self, request: &Value, scenarios: &Path) -> Result<Step> {
        let text = match (self.kind, &self.script) {
            (Kind::Summary, _) => "<summary>\nA scripted session, summed up.\n</summary>".into(),
            (Kind::Structured, _) => answer_in(&schema(request)["properties"]).to_string(),
            (Kind::Errand, _) | (Kind::Talk, None) => "Very well.".into(),
            (Kind::Talk, Some(name)) => match scenario::load(scenarios, name)? {
                None => format!("There is no scenario {name}."),
                Some(steps) if obeys(&steps, self.turn).is_some() => {
                    let project = obeys(&steps, self.turn).unwrap_or_default();
                    return Ok(obedient::turn(items(&request["messages"]), project));
                }
                Some(mut steps) if self.turn < steps.len() => {
                    return Ok(steps.swap_remove(self.turn));
                }
                Some(_) => format!("The scenario {name} is over."),
            },
        };
        Ok(Step {
            text,
            ..Step::default()
        })
    }
}

/// The project in which the model obeys, at that turn.
fn obeys(steps: &[Step], turn: usize) -> Option<&str> {
    let last = steps.len().checked_sub(1)?;
    steps[turn.min(last)].obeys_in.as_deref()
}

fn kind_of(request: &Value, messages: &[Value]) -> Kind {
    let last = messages.last().map(words).unwrap_or_default();
    if last.contains("create a detailed summary") || last.contains("Respond with TEXT ONLY") {
        Kind::Summary
    } else if !schema(request).is_null() {
        Kind::Structured
    } else if items(&request["tools"]).is_empty() {
        Kind::Errand
    } else {
        Kind::Talk
    }
}

fn schema(request: &Value) -> &Value {
    &request["output_config"]["format"]["schema"]
}

/// Something that fits the schema; `ok` is what a prompt hook asks, and yes is what lets the session go on.
fn answer_in(properties: &Value) -> Value {
    let fields = properties.as_object().into_iter().flatten();
    let answers = fields.map(|(name, field)| {
        let answer = match field["type"].as_str() {
            Some("boolean") => json!(true),
            Some("number" | "integer") => json!(1),
            Some("array") => json!([]),
            Some("object") => json!({}),
            _ => json!("A scripted session"),
        };
        (name.clone(), answer)
    });
    Value::Object(answers.collect())
}

/// The last marker of a text; what the client adds as reminders does not count.
fn marker(text: &str) -> Option<String> {
    let text = without_reminders(text);
    let (_, from_name) = text.rsplit_once("[[script:")?;
    let (name, _) = from_name.split_once("]]")?;
    Some(name.into())
}

fn without_reminders(text: &str) -> String {
    let mut kept = String::new();
    for (index, part) in text.split("<system-reminder>").enumerate() {
        let rest = part.split_once("</system-reminder>").map(|(_, rest)| rest);
        kept += if index == 0 {
            part
        } else {
            rest.unwrap_or_default()
        };
    }
    kept
}

/// The text of a message, tool results and the like left out.
fn words(message: &Value) -> String {
    match &message["content"] {
        Value::String(text) => text.clone(),
        blocks => items(blocks)
            .iter()
            .filter(|block| block["type"] == "text")
            .filter_map(|block| block["text"].as_str())
            .collect(),
    }
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(text: &str) -> Value {
        json!({"role": "user", "content": [{"type": "text", "text": text}]})
    }

    fn assistant() -> Value {
        json!({"role": "assistant", "content": "Hm."})
    }

    #[test]
    fn turns_are_counted_from_the_last_marker() {
        let messages = [
            user("[[script:one]] go"),
            assistant(),
            user("[[script:two]] go"),
            assistant(),
            user("and on"),
        ];
        let cue = Cue::of(&json!({"messages": messages, "tools": [{"name": "Bash"}]}));
        assert_eq!(cue.kind, Kind::Talk);
        assert_eq!((cue.script.as_deref(), cue.turn), (Some("two"), 1));
    }

    #[test]
    fn a_marker_in_a_reminder_is_no_marker() {
        let messages = [user(
            "<system-reminder>[[script:no]]</system-reminder>[[script:yes]]<system-reminder>[[script:no]]</system-reminder>",
        )];
        let cue = Cue::of(&json!({"messages": messages}));
        assert_eq!((cue.script.as_deref(), cue.turn), (Some("yes"), 0));
    }

    #[test]
    fn a_schema_is_answered_in_kind() {
        let properties = json!({"ok": {"type": "boolean"}, "title": {"type": "string"}});
        let answer = answer_in(&properties);
        assert_eq!(answer, json!({"ok": true, "title": "A scripted session"}));
    }
}
