//! What belongs to each type of event beside the common fields.

use std::borrow::Cow;

use bellwether_protocol::event::{Event, Kind, Tool};
use serde_json::{Map, Value, json};

use super::event_type::EventType;
use super::meaning::{Ending, Meaning};
use crate::guard_stop::GuardStop;

/// As many characters of a prompt are kept.
const PREVIEW: usize = 200;

/// The payload of a normalised event.
pub(super) fn of(event: &Event<'_>, meaning: &Meaning, stopped: Option<&GuardStop>) -> Value {
    let mut payload = Map::new();
    match meaning.kind {
        EventType::AgentStarted => agent_started(event, &mut payload),
        EventType::AgentStopped => agent_stopped(event, meaning, &mut payload),
        EventType::ToolFailed => tool_failed(event, &mut payload),
        EventType::ToolSucceeded => tool_ended(event, &mut payload),
        EventType::TaskFailed => task_failed(event, &mut payload),
        EventType::Notification if event.kind == Kind::Notification => {
            payload.insert("message".into(), text(event.message.as_ref()));
        }
        _ if event.tool.is_some() => tool_started(event, &mut payload),
        _ => said(event, &mut payload),
    }
    if let Some(stopped) = stopped {
        payload.insert("stopped".into(), json!(stopped));
    }
    Value::Object(payload)
}

fn agent_started(event: &Event<'_>, payload: &mut Map<String, Value>) {
    let kind = event.agent.as_ref().and_then(|agent| agent.kind.as_ref());
    let prompt = event.message.as_deref().unwrap_or_default();
    let preview: String = prompt.chars().take(PREVIEW).collect();
    payload.insert("agent_type".into(), text(kind));
    payload.insert("prompt_preview".into(), json!(preview));
    put(payload, "source", event.detail.as_ref());
}

fn agent_stopped(event: &Event<'_>, meaning: &Meaning, payload: &mut Map<String, Value>) {
    let reason = match (&event.detail, meaning.ending) {
        (Some(reason), _) => reason.to_string(),
        // Events of the first catalogue's own shape leave an unsaid reason empty.
        (None, _) if event.transcript.is_none() => String::new(),
        (None, Some(Ending::Turn)) => "turn_end".to_owned(),
        (None, Some(Ending::Finished)) => "finished".to_owned(),
        (None, _) => String::new(),
    };
    payload.insert("reason".into(), json!(reason));
    payload.insert("summary".into(), text(event.message.as_ref()));
    if !event.background_tasks.is_empty() {
        payload.insert(
            "background_tasks".into(),
            json!(event.background_tasks.len()),
        );
    }
}

fn tool_started(event: &Event<'_>, payload: &mut Map<String, Value>) {
    let Some(tool) = &event.tool else { return };
    name_tool(tool, payload);
    payload.insert("tool_input".into(), input(tool));
    put(payload, "reason", event.detail.as_ref());
}

fn tool_ended(event: &Event<'_>, payload: &mut Map<String, Value>) {
    let Some(tool) = &event.tool else { return };
    name_tool(tool, payload);
    if let Some(duration) = tool.duration_ms {
        payload.insert("duration_ms".into(), json!(duration));
    }
}

fn tool_failed(event: &Event<'_>, payload: &mut Map<String, Value>) {
    tool_ended(event, payload);
    let Some(tool) = &event.tool else { return };
    let error = tool.error.as_deref().unwrap_or("unknown error");
    payload.insert("error_message".into(), json!(error));
    payload.insert("exit_code".into(), json!(tool.exit_code));
}

fn task_failed(event: &Event<'_>, payload: &mut Map<String, Value>) {
    payload.insert("error".into(), text(event.detail.as_ref()));
    payload.insert("error_message".into(), text(event.message.as_ref()));
}

/// Whatever words the event has.
fn said(event: &Event<'_>, payload: &mut Map<String, Value>) {
    put(payload, "message", event.message.as_ref());
    put(payload, "reason", event.detail.as_ref());
    put(payload, "title", event.title.as_ref());
    put(payload, "path", event.path.as_ref());
    if let Some(task) = &event.task {
        put(payload, "task_subject", task.subject.as_ref());
    }
    if event.kind == Kind::Other {
        payload.insert("hook_event_name".into(), json!(event.name));
    }
}

fn name_tool(tool: &Tool<'_>, payload: &mut Map<String, Value>) {
    payload.insert("tool_name".into(), json!(tool.name));
    put(payload, "tool_use_id", tool.use_id.as_ref());
}

fn input(tool: &Tool<'_>) -> Value {
    tool.input
        .and_then(|input| serde_json::from_str(input.get()).ok())
        .unwrap_or_else(|| json!({}))
}

fn text(words: Option<&Cow<'_, str>>) -> Value {
    json!(words.map(Cow::as_ref).unwrap_or_default())
}

fn put(payload: &mut Map<String, Value>, name: &str, words: Option<&Cow<'_, str>>) {
    if let Some(words) = words {
        payload.insert(name.to_owned(), json!(words));
    }
}
