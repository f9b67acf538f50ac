//! The normalised event, with the structure of its catalogue.

use bellwether_protocol::event::Event;
use bellwether_spine::journal::Envelope;
use bellwether_spine::text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::event_type::EventType;
use super::identity::filled;
use super::invalid::Invalid;
use super::meaning::{Meaning, type_of};
use super::{intake, moment, payload};
use crate::guard_stop::{GuardStop, StopHow};

/// Who says that something happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EventSource {
    /// A hook of the client.
    #[default]
    Hook,
    /// We concluded it ourselves.
    Synthetic,
}

/// How grave an event is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Of no interest to most.
    Debug,
    /// As it should be.
    #[default]
    Info,
    /// Something did not work.
    Warn,
    /// Somebody should look.
    Error,
}

/// One event, normalised.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NormalizedEvent {
    /// Its own id.
    pub id: String,
    /// The version of the catalogue that its type belongs to.
    pub version: String,
    /// When it happened, UTC, ISO 8601.
    pub ts: String,
    /// What happened.
    pub event_type: EventType,
    /// Who says so.
    pub source: EventSource,
    /// The project's short name.
    pub workspace_id: String,
    /// The terminal.
    pub terminal_session_id: String,
    /// The prompt that is being worked on.
    pub run_id: Option<String>,
    /// The session.
    pub session_id: Option<String>,
    /// The agent it happened to.
    pub agent_id: String,
    /// The agent that is written to.
    pub target_agent_id: Option<String>,
    /// The task it is about.
    pub task_id: Option<String>,
    /// How grave it is.
    pub severity: Severity,
    /// What belongs to the type.
    pub payload: Value,
    /// What the model thought.
    pub thinking_text: Option<String>,
    /// What was sent.
    pub raw: Value,
}

/// Makes a normalised event of a record. What cannot be one says which field is wrong.
pub fn normalise(record: &str) -> Result<NormalizedEvent, Invalid> {
    let envelope =
        Envelope::parse(record).map_err(|error| Invalid::new("record", error.to_string()))?;
    if let Some(why) = envelope.meta.unreadable.as_deref() {
        let (field, why) = why.split_once(": ").unwrap_or(("payload", why));
        return Err(Invalid::new(field, why));
    }
    let event = envelope
        .event()
        .map_err(|error| Invalid::new("payload", error.to_string()))?;
    intake::check(&event, type_of(&event))?;
    Ok(from_event(&envelope, &event))
}

/// The same of anything: what is no event becomes a `schema_error` that says why.
pub(crate) fn normalise_or_say(record: &str) -> NormalizedEvent {
    normalise(record).unwrap_or_else(|invalid| schema_error(record, &invalid))
}

fn schema_error(record: &str, invalid: &Invalid) -> NormalizedEvent {
    let envelope = Envelope::parse(record).ok();
    let event = envelope
        .as_ref()
        .and_then(|envelope| envelope.event().ok())
        .unwrap_or_default();
    let mut normal = envelope.as_ref().map_or_else(nothing, |envelope| {
        let mut normal = from_event(envelope, &event);
        if normal.raw.is_null() {
            normal.raw = serde_json::from_str(envelope.payload.get()).unwrap_or_default();
        }
        normal
    });
    normal.event_type = EventType::SchemaError;
    EventType::SchemaError
        .since()
        .clone_into(&mut normal.version);
    normal.severity = Severity::Warn;
    normal.payload = serde_json::json!({ "field": invalid.field, "error_message": invalid.why });
    normal
}

fn nothing() -> NormalizedEvent {
    NormalizedEvent {
        id: String::new(),
        version: EventType::SchemaError.since().to_owned(),
        ts: moment::utc(0),
        event_type: EventType::SchemaError,
        source: EventSource::Hook,
        workspace_id: UNKNOWN.to_owned(),
        terminal_session_id: UNKNOWN.to_owned(),
        run_id: None,
        session_id: None,
        agent_id: UNKNOWN.to_owned(),
        target_agent_id: None,
        task_id: None,
        severity: Severity::Warn,
        payload: Value::Null,
        thinking_text: None,
        raw: Value::Null,
    }
}

/// What stands where something must and nothing was said.
pub(super) const UNKNOWN: &str = "unknown";

fn from_event(envelope: &Envelope<'_>, event: &Event<'_>) -> NormalizedEvent {
    let meta = &envelope.meta;
    let said = intake::said(event);
    let meaning = Meaning::of(event);
    let stopped = meta.guard.as_ref().and_then(GuardStop::of);
    let text = |text: Option<&str>| filled(text).map(str::to_owned);
    NormalizedEvent {
        id: meta.id.to_string(),
        version: meaning.kind.since().to_owned(),
        ts: said
            .collected_at
            .clone()
            .unwrap_or_else(|| moment::utc(meta.at_ms)),
        event_type: meaning.kind,
        source: if intake::is_own(meta.from.as_deref()) {
            said.source
        } else {
            EventSource::Hook
        },
        workspace_id: said
            .workspace_id
            .or_else(|| text(meta.workspace_id.as_deref()))
            .unwrap_or_else(|| UNKNOWN.to_owned()),
        terminal_session_id: said
            .terminal_session_id
            .or_else(|| text(meta.terminal_session_id.as_deref()))
            .or_else(|| text(event.session.as_deref()))
            .unwrap_or_else(|| UNKNOWN.to_owned()),
        run_id: text(event.prompt_id.as_deref()),
        session_id: text(event.session.as_deref()),
        agent_id: meaning.agent.clone(),
        target_agent_id: meaning.target.clone(),
        task_id: meaning.task.as_ref().and_then(|task| task.id.clone()),
        severity: match &stopped {
            Some(stopped) if stopped.how == StopHow::Refused => Severity::Warn,
            _ => meaning.severity,
        },
        payload: payload::of(event, &meaning, stopped.as_ref()),
        thinking_text: event.thinking.as_deref().map(str::to_owned),
        raw: serde_json::from_str(envelope.payload.get()).unwrap_or_default(),
    }
}

impl NormalizedEvent {
    /// The event as it may leave us: secrets masked, nothing that steers a terminal.
    #[must_use]
    pub fn masked(mut self) -> Self {
        let clean = |text: String| text::shown(&text, usize::MAX);
        self.payload = text::shown_json(&self.payload);
        self.raw = text::shown_json(&self.raw);
        self.thinking_text = self.thinking_text.map(clean);
        for word in [
            &mut self.workspace_id,
            &mut self.terminal_session_id,
            &mut self.agent_id,
        ] {
            *word = clean(std::mem::take(word));
        }
        for word in [
            &mut self.run_id,
            &mut self.session_id,
            &mut self.target_agent_id,
            &mut self.task_id,
        ] {
            *word = word.take().map(clean);
        }
        self
    }
}
