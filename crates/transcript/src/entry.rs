//! What a line of a transcript tells somebody who reads it: words, thoughts, calls of tools and what came
//! back. Everything in it is masked and bounded.

use std::borrow::Cow;
use std::collections::HashMap;

use bellwether_protocol::fields::{Fields, FromRaw as _};
use bellwether_spine::text;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::shown::beginning as shown;

/// As much is shown of words and thoughts, in bytes.
const WORDS: usize = 32 * 1024;
/// As much is shown of what goes into a tool and comes out of it.
const TOOL: usize = 4 * 1024;
/// What is longer is cut before it is masked as JSON.
const LONGEST_JSON: usize = 68 * 1024;

/// One thing in a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Entry {
    /// Its place in the file, which no other has.
    pub place: u64,
    /// When, milliseconds since 1970.
    pub at_ms: Option<u64>,
    /// Whose it is.
    pub role: EntryRole,
    /// What it is.
    pub kind: EntryKind,
    /// Its text, masked. One that was cut says so at its end.
    pub text: String,
    /// The tool that is called or has answered.
    pub tool: Option<String>,
    /// Whether it is a subagent's, in the file of the session.
    pub sidechain: bool,
}

/// Whose something in a transcript is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EntryRole {
    /// The person's.
    User,
    /// The agent's.
    Assistant,
    /// A tool's.
    Tool,
}

/// What something in a transcript is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// Words.
    Text,
    /// A thought.
    Thinking,
    /// A call of a tool: its input, as JSON.
    ToolUse,
    /// What a tool answered.
    ToolResult,
}

/// The tools of the calls that were seen, by their ids.
pub(super) type Calls = HashMap<String, String>;

/// What a line tells; nothing when it is not about the conversation.
pub(super) fn entries(line: &[u8], place: u64, calls: &mut Calls) -> Vec<Entry> {
    read(line, place, calls).unwrap_or_default()
}

/// One for what is too long to be looked at.
pub(super) fn left_out(place: u64, bytes: u64) -> Entry {
    Entry {
        place,
        at_ms: None,
        role: EntryRole::Tool,
        kind: EntryKind::ToolResult,
        text: format!("[left out: {bytes} bytes in one line]"),
        tool: None,
        sidechain: false,
    }
}

fn read(line: &[u8], place: u64, calls: &mut Calls) -> Option<Vec<Entry>> {
    let about = |word: &[u8]| memchr::memmem::find(line, word).is_some();
    (about(b"\"assistant\"") || about(b"\"user\"")).then_some(())?;
    let fields = Fields::parse(std::str::from_utf8(line.trim_ascii()).ok()?).ok()?;
    let flag = |name: &str| fields.get::<bool>(name) == Some(true);
    (!flag("isMeta")).then_some(())?;
    let kind: Cow<'_, str> = fields.first(&["type", "role"])?;
    let role = match kind.as_ref() {
        "user" => EntryRole::User,
        "assistant" => EntryRole::Assistant,
        _ => return None,
    };
    let message = fields.get::<Fields<'_>>("message");
    let content: &RawValue = message.as_ref().unwrap_or(&fields).get("content")?;
    let at_ms = fields
        .get::<Cow<'_, str>>("timestamp")
        .and_then(|text| moment(&text));
    let blank = Entry {
        place,
        at_ms,
        role,
        kind: EntryKind::Text,
        text: String::new(),
        tool: None,
        sidechain: flag("isSidechain"),
    };
    let mut entries: Vec<Entry> = match Cow::<str>::from_raw(content) {
        Some(words) => vec![Entry {
            text: shown(&words, WORDS),
            ..blank
        }],
        None => Vec::<Fields<'_>>::from_raw(content)?
            .iter()
            .filter_map(|block| of_block(block, &blank, calls))
            .collect(),
    };
    entries.retain(|entry| !entry.text.trim().is_empty());
    for (number, entry) in (place..).zip(&mut entries) {
        entry.place = number;
    }
    Some(entries)
}

fn of_block(block: &Fields<'_>, blank: &Entry, calls: &mut Calls) -> Option<Entry> {
    let word = |name: &str| block.get::<Cow<'_, str>>(name);
    let entry = blank.clone();
    Some(match word("type")?.as_ref() {
        "text" => Entry {
            text: shown(&word("text")?, WORDS),
            ..entry
        },
        "thinking" => Entry {
            kind: EntryKind::Thinking,
            text: shown(&word("thinking")?, WORDS),
            ..entry
        },
        "tool_use" => {
            let tool = text::shown(&word("name")?, 120);
            if let Some(id) = word("id") {
                calls.insert(id.into_owned(), tool.clone());
            }
            let input: &RawValue = block.get("input")?;
            Entry {
                kind: EntryKind::ToolUse,
                text: shown_json(input.get()),
                tool: Some(tool),
                ..entry
            }
        }
        "tool_result" => Entry {
            role: EntryRole::Tool,
            kind: EntryKind::ToolResult,
            text: shown(&result(block)?, TOOL),
            tool: word("tool_use_id").and_then(|id| calls.get(id.as_ref()).cloned()),
            ..entry
        },
        _ => return None,
    })
}

/// What a tool answered: a text, or blocks of which some are.
fn result<'a>(block: &Fields<'a>) -> Option<Cow<'a, str>> {
    let content: &RawValue = block.get("content")?;
    if let Some(text) = Cow::<str>::from_raw(content) {
        return Some(text);
    }
    let blocks = Vec::<Fields<'_>>::from_raw(content)?;
    let texts = blocks.iter().map(|block| {
        let text = block.get::<Cow<'_, str>>("text");
        let kind = block.get::<Cow<'_, str>>("type").unwrap_or_default();
        text.unwrap_or_else(|| format!("[{kind}]").into())
    });
    Some(texts.collect::<Vec<_>>().join("\n").into())
}

fn shown_json(json: &str) -> String {
    if json.len() > LONGEST_JSON {
        return shown(json, TOOL);
    }
    shown(&text::mask_json(json), TOOL)
}

/// A moment that a line tells, in milliseconds since 1970.
pub(super) fn moment(text: &str) -> Option<u64> {
    let at = text.parse::<Timestamp>().ok()?;
    u64::try_from(at.as_millisecond()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> Vec<(EntryRole, EntryKind, String, Option<String>)> {
        let mut calls = Calls::from([("t0".to_owned(), "Read".to_owned())]);
        let entries = entries(line.as_bytes(), 7, &mut calls).into_iter();
        entries
            .map(|entry| (entry.role, entry.kind, entry.text, entry.tool))
            .collect()
    }

    #[test]
    fn blocks_become_entries() {
        let line = r#"{"type":"assistant","timestamp":"2026-02-20T15:00:00.123Z","isSidechain":true,"message":{"content":[{"type":"thinking","thinking":"Hm."},{"type":"text","text":"Yes."},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls","api_key":"sk-abcdefghijklmnopqrstuvwxyz123456"}},{"type":"image"}]}}"#;
        let mut calls = Calls::new();
        let all = entries(line.as_bytes(), 40, &mut calls);
        assert_eq!(all.len(), 3);
        assert_eq!(all[0].at_ms, Some(1_771_599_600_123));
        assert!(all.iter().all(|entry| entry.sidechain));
        let places: Vec<u64> = all.iter().map(|entry| entry.place).collect();
        assert_eq!(places, [40, 41, 42]);
        assert_eq!(all[0].kind, EntryKind::Thinking);
        assert!(all[2].text.contains("\"ls\"") && !all[2].text.contains("abcdefghijkl"));
        assert_eq!(calls["t1"], "Bash");
    }

    #[test]
    fn prompts_and_answers_of_tools() {
        let prompt = r#"{"type":"user","message":{"content":"Mend it."}}"#;
        assert_eq!(one(prompt)[0].2, "Mend it.");
        let answer = r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t0","content":[{"type":"text","text":"a\u001b[31mb"},{"type":"image"}]}]}}"#;
        let wanted = (
            EntryRole::Tool,
            EntryKind::ToolResult,
            "ab\n[image]".to_owned(),
            Some("Read".to_owned()),
        );
        assert_eq!(one(answer), [wanted]);
        for nothing in [
            "",
            "{",
            r#"{"type":"progress","x":"user"}"#,
            r#"{"type":"user","isMeta":true,"message":{"content":"x"}}"#,
            r#"{"type":"user","message":{"content":" "}}"#,
            r#"{"type":"user","message":{"content":7}}"#,
            r#"{"type":"user"}"#,
        ] {
            assert!(one(nothing).is_empty(), "{nothing}");
        }
    }

    #[test]
    fn what_is_long_is_cut_and_says_so() {
        let long = "y".repeat(TOOL + 1);
        let line = format!(
            r#"{{"type":"user","message":{{"content":[{{"type":"tool_result","content":"{long}"}}]}}}}"#
        );
        let text = &one(&line)[0].2;
        assert!(text.ends_with("[cut: 4097 bytes in all]"), "{text}");
        assert!(text.len() < TOOL + 40);
        let key = format!(
            "{}sk-abcdefghijklmnopqrstuvwxyz0123456789",
            "z ".repeat(TOOL / 2 - 5)
        );
        assert!(!shown(&key, TOOL).contains("sk-abc"));
    }
}
