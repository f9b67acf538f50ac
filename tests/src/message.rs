//! A turn as the Messages API tells it: whole, or as a stream of events.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::http::EventStream;
use crate::scenario::Step;

/// How many characters of text one event carries.
const PIECE: usize = 40;

/// The turn as one message.
pub(crate) fn whole(step: &Step, model: &Value) -> Value {
    let ends_with_tools = if step.tools.is_empty() {
        "end_turn"
    } else {
        "tool_use"
    };
    json!({
        "id": fresh_id("msg"),
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content(step),
        "stop_reason": step.stop_reason.as_deref().unwrap_or(ends_with_tools),
        "stop_sequence": null,
        "usage": {
            "input_tokens": step.usage.input_tokens,
            "output_tokens": step.usage.output_tokens,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        },
    })
}

/// The turn as events, with the pauses it asks for.
pub(crate) fn stream(step: &Step, model: &Value, to: &mut impl Write) -> io::Result<()> {
    let message = whole(step, model);
    let mut start = message.clone();
    start["content"] = json!([]);
    start["stop_reason"] = Value::Null;
    start["usage"]["output_tokens"] = json!(1);

    let mut events = EventStream::open(to)?;
    events.send(&json!({"type": "message_start", "message": start}))?;
    for (index, block) in content_of(&message).iter().enumerate() {
        let (empty, deltas) = taken_apart(block);
        events.send(
            &json!({"type": "content_block_start", "index": index, "content_block": empty}),
        )?;
        for delta in deltas {
            events.send(&json!({"type": "content_block_delta", "index": index, "delta": delta}))?;
            thread::sleep(Duration::from_millis(step.slow_ms));
        }
        events.send(&json!({"type": "content_block_stop", "index": index}))?;
    }
    let end = json!({"stop_reason": message["stop_reason"], "stop_sequence": null});
    events.send(&json!({"type": "message_delta", "delta": end, "usage": message["usage"]}))?;
    events.send(&json!({"type": "message_stop"}))?;
    events.close()
}

/// The body of an error.
pub(crate) fn error(kind: &str) -> Value {
    json!({"type": "error", "error": {"type": kind, "message": format!("scripted {kind}")}})
}

fn content(step: &Step) -> Vec<Value> {
    let thinking = step.thinking.iter().map(
        |thinking| json!({"type": "thinking", "thinking": thinking, "signature": "c2NyaXB0ZWQ="}),
    );
    let text = (!step.text.is_empty()).then(|| json!({"type": "text", "text": step.text}));
    let tools = step.tools.iter().map(|tool| {
        json!({"type": "tool_use", "id": fresh_id("toolu"), "name": tool.name, "input": tool.input})
    });
    thinking.chain(text).chain(tools).collect()
}

fn content_of(message: &Value) -> &[Value] {
    message["content"].as_array().map_or(&[], Vec::as_slice)
}

/// A block as it is announced, empty, and the deltas that fill it.
fn taken_apart(block: &Value) -> (Value, Vec<Value>) {
    let mut empty = block.clone();
    let deltas = match block["type"].as_str() {
        Some("thinking") => {
            empty["thinking"] = json!("");
            empty["signature"] = json!("");
            vec![
                json!({"type": "thinking_delta", "thinking": block["thinking"]}),
                json!({"type": "signature_delta", "signature": block["signature"]}),
            ]
        }
        Some("tool_use") => {
            empty["input"] = json!({});
            let input = block["input"].to_string();
            vec![json!({"type": "input_json_delta", "partial_json": input})]
        }
        _ => {
            empty["text"] = json!("");
            let text: Vec<char> = block["text"].as_str().unwrap_or_default().chars().collect();
            let pieces = text
                .chunks(PIECE)
                .map(|piece| piece.iter().collect::<String>());
            pieces
                .map(|piece| json!({"type": "text_delta", "text": piece}))
                .collect()
        }
    };
    (empty, deltas)
}

/// An id no other run has given: a session may be resumed against another server.
fn fresh_id(prefix: &str) -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{prefix}_{:016x}{count:08x}", now.as_nanos())
}
