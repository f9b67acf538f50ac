//! Events that others send: what a forwarder adds, what must be right, and the record that is stored.

use std::borrow::Cow;

use bellwether_protocol::client::Client;
use bellwether_protocol::event::Event;
use bellwether_protocol::fields::{Fields, IdText};
use bellwether_spine::journal::{Envelope, Payload};
use bellwether_spine::meta::{COMMIT_CHECKED, GATE, INGEST, Meta, PAGE, WATCHED, WORKFLOW};
use bellwether_workflow::MOVED;
use serde_json::value::RawValue;

use super::event_type::EventType;
use super::identity::filled;
use super::invalid::Invalid;
use super::meaning::{is_about_task, task, type_of};
use super::moment;
use super::normalise::EventSource;
use crate::Row;

/// The name of the event that a permission request was answered from the page.
pub const ANSWERED: &str = "PermissionAnswered";
/// The name of the event that the guard's settings were changed by somebody else than the person.
pub const SETTINGS_CHANGED: &str = "SettingsChanged";
/// The name of the event that an agent did what only the person may.
pub const ACTED_AS_PERSON: &str = "ActedAsPerson";
/// Events with these names are made by bellwether alone.
const OWN_NAMES: [&str; 5] = [
    ANSWERED,
    SETTINGS_CHANGED,
    ACTED_AS_PERSON,
    COMMIT_CHECKED,
    MOVED,
];
/// What our own events say of where they come from, in `_meta.source`.
const SYNTHETIC: &str = "synthetic";
/// The ways by which our own events come: the daemon's, and those of the gate and the workflow, which the hook and the commands
/// write into the journal themselves.
const OWN_WAYS: [&str; 4] = [OwnWay::Watch.name(), OwnWay::Page.name(), GATE, WORKFLOW];
/// The frame around a record in the journal: one byte on each side.
const FRAME: usize = 1;

/// Who sends an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sender {
    /// Somebody else: what only the daemon can know is not taken from them.
    #[default]
    Other,
    /// The daemon itself.
    Own(OwnWay),
}

/// How the daemon came to know something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnWay {
    /// It saw a transcript or a process.
    Watch,
    /// The person answered on the page.
    Page,
}

impl OwnWay {
    const fn name(self) -> &'static str {
        match self {
            Self::Watch => WATCHED,
            Self::Page => PAGE,
        }
    }
}

/// An event that somebody sent, ready to be stored, and what is wrong with it. What is wrong is
/// stored too, as a `schema_error`.
#[derive(Debug, Clone)]
pub struct Intake {
    pub row: Row,
    /// What is wrong with it.
    pub invalid: Option<Invalid>,
}

/// The same on its way into the journal.
#[derive(Debug, Clone)]
pub struct Framed {
    /// The record in its frame.
    pub record: Vec<u8>,
    /// What is wrong with it.
    pub invalid: Option<Invalid>,
}

/// Takes the text of an event that somebody sent.
pub fn intake(text: &str, sender: Sender) -> Intake {
    let Framed { record, invalid } = frame(text, sender);
    let inner = record.get(FRAME..record.len().saturating_sub(FRAME));
    Intake {
        row: Row::of_text(&String::from_utf8_lossy(inner.unwrap_or_default())),
        invalid,
    }
}

/// Makes the record of a foreign event: the same as a hook would have written. Why it is no event stands
/// in it, so that it is none for whoever reads it later.
pub fn frame(text: &str, sender: Sender) -> Framed {
    let client = Client::default();
    let parsed = Fields::parse(text).map(|fields| (client.read(&fields), fields));
    let invalid = match &parsed {
        Ok((event, fields)) => check_sender(event, sender)
            .and_then(|()| check_sent(fields, event))
            .err(),
        Err(error) => Some(Invalid::new("", error.to_string())),
    };
    let parsed = parsed.map(|(event, _)| event);
    let from = match sender {
        Sender::Other => INGEST,
        Sender::Own(way) => way.name(),
    };
    let mut meta = Meta::gather(&|_| None, parsed.as_ref().ok(), client, Some(from));
    meta.unreadable = invalid
        .as_ref()
        .map(|invalid| Cow::Owned(invalid.to_string()));
    let said = parsed.as_ref().map(said).unwrap_or_default();
    if let Some(workspace) = said.workspace_id {
        meta.workspace_id = Some(Cow::Owned(workspace));
    }
    if let Some(terminal) = said.terminal_session_id {
        meta.terminal_session_id = Some(Cow::Owned(terminal));
    }
    meta.attended &= said.attended.unwrap_or(true);
    let payload = match &parsed {
        Ok(_) => Payload::Json(text),
        Err(_) => Payload::Unreadable(text),
    };
    Framed {
        // Only what cannot be written as JSON fails, and all of this was read from it.
        record: Envelope::encode(&meta, payload).unwrap_or_default(),
        invalid,
    }
}

/// What a forwarder says in `_meta`.
#[derive(Debug, Clone, Default)]
pub(super) struct Said {
    pub workspace_id: Option<String>,
    pub terminal_session_id: Option<String>,
    pub collected_at: Option<String>,
    pub source: EventSource,
    /// Whether somebody sits in front of the session.
    pub attended: Option<bool>,
}

pub(super) fn said(event: &Event<'_>) -> Said {
    let fields = event.meta.and_then(|meta| Fields::parse(meta.get()).ok());
    let Some(fields) = fields else {
        return Said::default();
    };
    let text = |name: &str| {
        let text: Option<Cow<'_, str>> = fields.get(name);
        filled(text.as_deref()).map(str::to_owned)
    };
    Said {
        workspace_id: text("workspace_id"),
        terminal_session_id: text("terminal_session_id"),
        collected_at: text("collected_at").filter(|at| moment::parse(at).is_some()),
        source: match text("source").as_deref() {
            Some(SYNTHETIC) => EventSource::Synthetic,
            _ => EventSource::Hook,
        },
        attended: fields.get("attended"),
    }
}

/// When an event happened, as its forwarder says.
pub(crate) fn own_moment(event: &Event<'_>) -> Option<u64> {
    moment::parse(&said(event).collected_at?)
}

/// Whether an event came by one of our own ways. What it says of itself is no proof.
pub(super) fn is_own(from: Option<&str>) -> bool {
    from.is_some_and(|from| OWN_WAYS.contains(&from))
}

/// What only the daemon may say.
fn check_sender(event: &Event<'_>, sender: Sender) -> Result<(), Invalid> {
    const WHY: &str = "only bellwether itself makes such events";
    if sender != Sender::Other {
        return Ok(());
    }
    if OWN_NAMES.contains(&event.name.trim()) {
        return Err(Invalid::new("hook_event_name", WHY));
    }
    if said(event).source == EventSource::Synthetic {
        return Err(Invalid::new("_meta.source", WHY));
    }
    Ok(())
}

/// What an event must have that somebody sent.
fn check_sent(fields: &Fields<'_>, event: &Event<'_>) -> Result<(), Invalid> {
    check_texts(fields)?;
    check_meta(event.meta)?;
    check(event, type_of(event))
}

/// What every event must have, and what its type must.
pub(crate) fn check(event: &Event<'_>, kind: EventType) -> Result<(), Invalid> {
    if event.name.trim().is_empty() {
        let why = "missing; give the event's name here, or as hook_type";
        return Err(Invalid::new("hook_event_name", why));
    }
    check_tool(event, kind)?;
    let has_id = || task(event, kind).is_some_and(|task| task.id.is_some());
    // The list gives a new task its id only once it is on it.
    let is_new = kind == EventType::TaskCreated && event.tool.is_some();
    if is_about_task(kind) && !is_new && !has_id() {
        let why = "missing; events about a task need one";
        return Err(Invalid::new("task_id", why));
    }
    Ok(())
}

/// A field of the wrong type is an error here, though a hook passes over it.
fn check_texts(fields: &Fields<'_>) -> Result<(), Invalid> {
    const TEXTS: [&str; 12] = [
        "hook_event_name",
        "hook_type",
        "session_id",
        "parent_session_id",
        "agent_id",
        "agent_type",
        "agent_name",
        "teammate_name",
        "team_name",
        "tool_name",
        "tool_use_id",
        "task_id",
    ];
    for name in TEXTS {
        let value: Option<&RawValue> = fields.get(name);
        // The id of a task may be a number.
        let is_id = name == "task_id" && fields.get::<IdText<'_>>(name).is_some();
        if let Some(value) = value.filter(|value| !is_id && !value.get().starts_with('"')) {
            // Written anew, so that a message is the same however it was spaced.
            let value: serde_json::Value = serde_json::from_str(value.get()).unwrap_or_default();
            return Err(Invalid::new(name, format!("{value} is no string")));
        }
    }
    Ok(())
}

fn check_meta(meta: Option<&RawValue>) -> Result<(), Invalid> {
    let Some(meta) = meta else { return Ok(()) };
    let meta: serde_json::Value = serde_json::from_str(meta.get()).unwrap_or_default();
    let Some(meta) = meta.as_object() else {
        return Err(Invalid::new("_meta", "not an object"));
    };
    for name in ["workspace_id", "terminal_session_id", "collected_at"] {
        let value = meta.get(name).unwrap_or(&serde_json::Value::Null);
        if !value.is_null() && !value.is_string() {
            let field = format!("_meta.{name}");
            return Err(Invalid::new(&field, format!("{value} is no string")));
        }
    }
    let at = meta.get("collected_at").and_then(serde_json::Value::as_str);
    match at {
        Some(at) if moment::parse(at).is_none() => Err(Invalid::new(
            "_meta.collected_at",
            "not a time in UTC such as 2026-02-20T15:00:00Z",
        )),
        _ => Ok(()),
    }
}

fn check_tool(event: &Event<'_>, kind: EventType) -> Result<(), Invalid> {
    use EventType::{ToolFailed, ToolStarted, ToolSucceeded};
    let about_tool = matches!(kind, ToolStarted | ToolSucceeded | ToolFailed);
    if about_tool && event.tool.is_none() {
        return Err(Invalid::new(
            "tool_name",
            "missing; events about a tool need one",
        ));
    }
    Ok(())
}
