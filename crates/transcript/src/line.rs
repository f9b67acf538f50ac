//! One line of a transcript: a piece of what an agent said, a prompt, or something else.
//!
//! Two shapes are known: `{"type":"assistant","message":{…}}`, which the client writes, and
//! `{"role":"assistant","content":[…]}`, which older tools do.

use std::borrow::Cow;

use bellwether_protocol::fields::{Fields, FromRaw as _};
use serde_json::value::RawValue;

use crate::Whose;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A piece of a message; the client writes a line for each of its blocks.
    Said(Piece),
    /// Somebody tells the agent something.
    Prompt,
    /// What a tool answered.
    Result,
    /// The client says in the agent's place that the API has failed.
    Failed(String),
}

/// A piece of a message of an agent.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Piece {
    /// Which message it is a piece of.
    pub id: Option<String>,
    pub blocks: Vec<MessageBlock>,
}

/// One block of a message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum MessageBlock {
    Text(String),
    Tool { name: String, input: Option<String> },
    Other,
}

/// Reads a line; `None` when it is not about the conversation.
pub(super) fn parse(line: &[u8], whose: Whose) -> Option<Line> {
    // Most lines, and all the longest, are about neither; looking costs less than reading.
    let about = |word: &[u8]| memchr::memmem::find(line, word).is_some();
    (about(b"\"assistant\"") || about(b"\"user\"")).then_some(())?;
    let text = std::str::from_utf8(line.trim_ascii()).ok()?;
    let fields = Fields::parse(text).ok()?;
    let flag = |name: &str| fields.get::<bool>(name) == Some(true);
    (whose == Whose::Subagent || !flag("isSidechain")).then_some(())?;
    (!flag("isMeta")).then_some(())?;
    let inner = match fields.get::<Cow<'_, str>>("type") {
        Some(kind) if kind == "assistant" || kind == "user" => {
            fields.get::<Fields<'_>>("message")?
        }
        Some(_) => return None,
        None => fields.clone(),
    };
    if flag("isApiErrorMessage") {
        return Some(Line::Failed(words(&inner)));
    }
    let role: Cow<'_, str> = fields.first(&["type", "role"])?;
    match role.as_ref() {
        "assistant" => said(&inner).map(Line::Said),
        "user" => Some(heard(&inner)),
        _ => None,
    }
}

fn words(message: &Fields<'_>) -> String {
    let blocks: Vec<Fields<'_>> = message.get("content").unwrap_or_default();
    let texts = blocks.iter().filter_map(|block| block.get("text"));
    let texts: Vec<Cow<'_, str>> = texts.collect();
    texts.join(" ")
}

fn said(message: &Fields<'_>) -> Option<Piece> {
    let text = |name: &str| message.get::<Cow<'_, str>>(name).map(Cow::into_owned);
    // The client's own words in the agent's place.
    (text("model").as_deref() != Some("<synthetic>")).then_some(())?;
    let content: &RawValue = message.get("content")?;
    let blocks = match Cow::<str>::from_raw(content) {
        Some(text) => vec![MessageBlock::Text(text.into_owned())],
        None => Vec::<Fields<'_>>::from_raw(content)?
            .iter()
            .map(block)
            .collect(),
    };
    Some(Piece {
        id: text("id"),
        blocks,
    })
}

fn block(fields: &Fields<'_>) -> MessageBlock {
    let text = |name: &str| {
        fields
            .get::<Cow<'_, str>>(name)
            .unwrap_or_default()
            .into_owned()
    };
    match text("type").as_str() {
        "text" => MessageBlock::Text(text("text")),
        "tool_use" => MessageBlock::Tool {
            name: text("name"),
            input: fields
                .get::<&RawValue>("input")
                .map(|input| input.get().to_owned()),
        },
        _ => MessageBlock::Other,
    }
}

fn heard(message: &Fields<'_>) -> Line {
    let blocks = message
        .get::<Vec<Fields<'_>>>("content")
        .unwrap_or_default();
    let is_result = |block: &Fields<'_>| {
        block
            .get::<Cow<'_, str>>("type")
            .is_some_and(|kind| kind == "tool_result")
    };
    if blocks.iter().any(is_result) {
        Line::Result
    } else {
        Line::Prompt
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn main(line: &str) -> Option<Line> {
        parse(line.as_bytes(), Whose::Main)
    }

    fn text(text: &str) -> Line {
        let blocks = vec![MessageBlock::Text(text.to_owned())];
        Line::Said(Piece { id: None, blocks })
    }

    #[test]
    fn both_shapes_are_understood() {
        let client = r#"{"type":"assistant","message":{"content":[{"type":"text","text":"a"}]}}"#;
        let older = r#"{"role":"assistant","content":[{"type":"text","text":"a"}]}"#;
        let oldest = r#"{"role":"assistant","content":"a"}"#;
        for line in [client, older, oldest] {
            assert_eq!(main(line), Some(text("a")), "{line}");
        }
        assert_eq!(main(&format!("{client}\r")), Some(text("a")));
        assert_eq!(
            main(r#"{"role":"user","content":"hi"}"#),
            Some(Line::Prompt)
        );
        let result = r#"{"type":"user","message":{"content":[{"type":"tool_result"}]}}"#;
        assert_eq!(main(result), Some(Line::Result));
    }

    #[test]
    fn what_is_not_the_agent_s_is_passed_over() {
        for line in [
            "",
            "5",
            "not json \"assistant\"",
            r#"{"type":"assistant","message":{"content":null}}"#,
            r#"{"type":"assistant","message":{"content":[{"type":"text","text":"a"#,
            r#"{"type":"assistant","isSidechain":true,"message":{"content":"a"}}"#,
            r#"{"type":"assistant","message":{"model":"<synthetic>","content":"a"}}"#,
            r#"{"type":"user","isMeta":true,"message":{"content":"a"}}"#,
            r#"{"type":"api-request-blob","message":{"role":"assistant","content":"a"}}"#,
            r#"{"type":"progress","data":"\"assistant\""}"#,
        ] {
            assert_eq!(main(line), None, "{line}");
        }
        let failed = r#"{"type":"assistant","isApiErrorMessage":true,"message":{"content":[{"type":"text","text":"API Error: 500"}]}}"#;
        assert_eq!(
            main(failed),
            Some(Line::Failed("API Error: 500".to_owned()))
        );
        let side = r#"{"type":"assistant","isSidechain":true,"message":{"content":"a"}}"#;
        assert_eq!(parse(side.as_bytes(), Whose::Subagent), Some(text("a")));
    }
}
