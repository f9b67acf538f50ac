//! One line of a transcript as the client writes it: its kind, when, whose, and the blocks of its message.

use std::borrow::Cow;

use bellwether_prices::{Speed, Tokens};
use bellwether_protocol::fields::{Fields, FromRaw as _};
use serde_json::value::RawValue;

use crate::entry::moment;

pub(crate) struct RawLine<'a> {
    fields: Fields<'a>,
    pub kind: Cow<'a, str>,
}

/// One block of a message.
pub(crate) enum RawBlock<'a> {
    Text(Cow<'a, str>),
    Thinking(Cow<'a, str>),
    /// A call of a tool.
    Call {
        id: Cow<'a, str>,
        name: Cow<'a, str>,
        input: Option<&'a RawValue>,
    },
    Answer(RawAnswer<'a>),
    Image {
        media: Cow<'a, str>,
        data: Cow<'a, str>,
    },
    /// Something that is only named.
    Other(Cow<'a, str>),
}

/// What a tool answered.
pub(crate) struct RawAnswer<'a> {
    pub id: Cow<'a, str>,
    pub is_error: bool,
    content: Option<&'a RawValue>,
}

/// What a message has used.
#[derive(Debug, Clone)]
pub(crate) struct RawUsage<'a> {
    pub message: Cow<'a, str>,
    pub model: Cow<'a, str>,
    pub tokens: Tokens,
    pub speed: Speed,
    /// What the client itself says that it costs; older ones do.
    pub cost_usd: Option<f64>,
}

impl<'a> RawLine<'a> {
    /// Reads a line; `None` when it is no object with a kind. Older tools write the message itself, which has a role.
    pub(crate) fn parse(line: &'a [u8]) -> Option<Self> {
        let fields = Fields::parse(std::str::from_utf8(line).ok()?).ok()?;
        let kind = fields.first(&["type", "role"])?;
        Some(Self { fields, kind })
    }

    pub(crate) fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        self.fields.get(name)
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        self.fields.get(name) == Some(true)
    }

    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        self.fields.get(name)
    }

    pub(crate) fn object(&self, name: &str) -> Option<Fields<'a>> {
        self.fields.get(name)
    }

    pub(crate) fn raw(&self, name: &str) -> Option<&'a RawValue> {
        self.fields.get(name)
    }

    /// Whether a field is there and holds nothing.
    pub(crate) fn is_null(&self, name: &str) -> bool {
        let mut fields = self.fields.iter();
        fields.any(|(field, value)| field == name && value.get() == "null")
    }

    pub(crate) fn at_ms(&self) -> Option<u64> {
        moment(&self.text("timestamp")?)
    }

    pub(crate) fn is_sidechain(&self) -> bool {
        self.flag("isSidechain")
    }

    /// Whether it is a part of the conversation.
    pub(crate) fn is_said(&self) -> bool {
        matches!(self.kind.as_ref(), "user" | "assistant")
    }

    fn message(&self) -> Fields<'a> {
        self.object("message")
            .unwrap_or_else(|| self.fields.clone())
    }

    /// The message that the line is a piece of.
    pub(crate) fn message_id(&self) -> Option<Cow<'a, str>> {
        self.message().get("id")
    }

    pub(crate) fn blocks(&self) -> Vec<RawBlock<'a>> {
        let Some(content) = self.message().get::<&RawValue>("content") else {
            return Vec::new();
        };
        blocks(content)
    }

    /// What the line's message has used, if the line says so.
    pub(crate) fn usage(&self) -> Option<RawUsage<'a>> {
        (self.kind == "assistant").then_some(())?;
        let message = self.message();
        let usage: Fields<'a> = message.get("usage")?;
        let count = |name: &str| usage.get::<u64>(name).unwrap_or(0);
        let written = count("cache_creation_input_tokens");
        let by_time: Option<Fields<'a>> = usage.get("cache_creation");
        let hour = by_time.and_then(|by_time| by_time.get::<u64>("ephemeral_1h_input_tokens"));
        let hour = hour.unwrap_or(0).min(written);
        let is_fast = usage.get::<Cow<'_, str>>("speed").as_deref() == Some("fast");
        Some(RawUsage {
            message: message.get("id")?,
            model: message.get("model").unwrap_or_default(),
            tokens: Tokens {
                input: count("input_tokens"),
                output: count("output_tokens"),
                cache_read: count("cache_read_input_tokens"),
                cache_write: written - hour,
                cache_write_hour: hour,
            },
            speed: if is_fast { Speed::Fast } else { Speed::Usual },
            cost_usd: self.number("costUSD"),
        })
    }
}

impl<'a> RawAnswer<'a> {
    pub(crate) fn blocks(&self) -> Vec<RawBlock<'a>> {
        self.content.map(blocks).unwrap_or_default()
    }
}

/// A text alone is one block of it.
fn blocks(content: &RawValue) -> Vec<RawBlock<'_>> {
    if let Some(text) = Cow::<str>::from_raw(content) {
        return vec![RawBlock::Text(text)];
    }
    let blocks = Vec::<Fields<'_>>::from_raw(content).unwrap_or_default();
    blocks.iter().filter_map(block).collect()
}

fn block<'a>(fields: &Fields<'a>) -> Option<RawBlock<'a>> {
    let word = |name: &str| fields.get::<Cow<'a, str>>(name);
    let kind = word("type")?;
    Some(match kind.as_ref() {
        "text" => RawBlock::Text(word("text")?),
        "thinking" => RawBlock::Thinking(word("thinking")?),
        "tool_use" | "server_tool_use" | "mcp_tool_use" => RawBlock::Call {
            id: word("id").unwrap_or_default(),
            name: word("name").unwrap_or_default(),
            input: fields.get("input"),
        },
        "tool_result" => RawBlock::Answer(RawAnswer {
            id: word("tool_use_id").unwrap_or_default(),
            is_error: fields.get("is_error") == Some(true),
            content: fields.get("content"),
        }),
        "image" => {
            let source: Fields<'a> = fields.get("source")?;
            RawBlock::Image {
                media: source.get("media_type").unwrap_or_default(),
                data: source.get("data").unwrap_or_default(),
            }
        }
        _ => RawBlock::Other(kind),
    })
}
