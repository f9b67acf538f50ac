//! An event on its way into the store and out of it.

use std::borrow::Cow;

use bellwether_protocol::client::Client;
use bellwether_protocol::event::{Event, Kind};
use bellwether_spine::SpineError;
use bellwether_spine::chain::Head;
use bellwether_spine::journal::Envelope;
use bellwether_spine::meta::{INGEST, Meta, Ruling, is_own_way};
use bellwether_spine::text;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::guard_stop::{GuardStop, StopHow};
use crate::normal::{
    Came, EventType, Fingerprint, Meaning, Severity, check, own_moment, search_words,
};

/// The name under which something that was no event is stored.
const UNREADABLE: &str = "(unreadable)";

/// The way that an event came by, when it was a hook without a name.
const NAMELESS: &str = "hook";

/// One event, ready to be stored.
#[derive(Debug, Clone)]
pub struct Row {
    pub id: [u8; 16],
    /// When it came, milliseconds since 1970; of a hook, when it was called.
    pub at_ms: u64,
    /// When it happened, as whoever sent it says.
    pub own_ms: Option<u64>,
    pub session: Option<String>,
    /// What happened.
    pub moment: Kind,
    /// The name of that; of something that we do not know, the name that was sent.
    pub name: String,
    /// The tool it is about.
    pub tool: Option<String>,
    /// The tool call it is about.
    pub tool_use: Option<String>,
    pub workspace: Option<String>,
    pub project: Option<String>,
    pub terminal: Option<String>,
    /// Whether somebody sits in front of the session.
    pub attended: bool,
    pub client_pid: Option<u32>,
    /// The transcript of whom it is about.
    pub transcript: Option<String>,
    /// The registration by which it came.
    pub from: Option<String>,
    /// The event that told its fact, when it only stands in for one of the client's.
    pub carrier: Option<String>,
    /// The client that it was registered with; the version says which events are registered.
    pub client: Client,
    /// Where the audit chain stood, when this went into it.
    pub audit: Option<Head>,
    /// What the guard said about its tool call.
    pub stopped: Option<GuardStop>,
    pub meaning: Meaning,
    /// The words by which it is found, masked.
    pub words: String,
    /// Whether it is about a helper of the client's own.
    pub is_helper: bool,
    /// What makes another event the same.
    pub fingerprint: Fingerprint,
    /// The record as it stands in the journal.
    pub record: Box<str>,
}

impl Row {
    pub fn from_record(record: &[u8]) -> Result<Self, SpineError> {
        let text =
            std::str::from_utf8(record).map_err(|error| SpineError::Record(error.to_string()))?;
        // Nearly every record is of our own making, and its payload an event.
        if let Some((meta, payload)) = Envelope::split(text)
            && let Ok(event) = meta.read(payload)
        {
            return Ok(Self::of_parts(meta, payload, Some(&event), text));
        }
        let envelope = Envelope::parse(text)?;
        Ok(Self::of_envelope(envelope, text))
    }

    fn of_envelope(envelope: Envelope<'_>, text: &str) -> Self {
        let payload = envelope.payload.get();
        let parsed = envelope.event().ok();
        Self::of_parts(envelope.meta, payload, parsed.as_ref(), text)
    }

    fn of_parts(meta: Meta<'_>, payload: &str, parsed: Option<&Event<'_>>, text: &str) -> Self {
        let event = parsed.filter(|event| !event.name.is_empty());
        let meaning = event
            .map(Meaning::of)
            .filter(|_| meta.unreadable.is_none())
            .filter(|meaning| event.is_some_and(|event| check(event, meaning.kind).is_ok()));
        let mut meaning = meaning.unwrap_or_else(Meaning::of_nothing);
        if meta.guard.as_ref().is_some_and(Ruling::is_refusal) {
            meaning.severity = meaning.severity.max(Severity::Warn);
        }
        let mut row = Self::of_meta(meta, meaning, text);
        if let Some(event) = event {
            row.take(event);
        }
        row.fingerprint = row.print(payload);
        row
    }

    /// What is known without the payload.
    fn of_meta(meta: Meta<'_>, meaning: Meaning, text: &str) -> Self {
        let client = meta.registration();
        Self {
            id: *meta.id.as_bytes(),
            at_ms: meta.at_ms,
            own_ms: None,
            session: None,
            moment: Kind::Other,
            name: UNREADABLE.to_owned(),
            tool: None,
            tool_use: None,
            workspace: meta.workspace_id.as_deref().map(id),
            project: meta.project_dir.map(Cow::into_owned),
            terminal: meta.terminal_session_id.as_deref().map(id),
            attended: meta.attended,
            client_pid: meta.client_pid,
            transcript: None,
            client,
            carrier: meta.carrier.as_deref().map(str::to_owned),
            from: meta.from.map(Cow::into_owned),
            audit: meta.audit,
            stopped: meta.guard.as_ref().and_then(GuardStop::of),
            meaning,
            words: String::new(),
            is_helper: false,
            fingerprint: Fingerprint::default(),
            record: text.into(),
        }
    }

    fn take(&mut self, event: &Event<'_>) {
        let agent = event.agent.as_ref();
        let own = agent.and_then(|agent| agent.transcript.as_ref());
        let is_main = self.session.is_none() && agent.is_none();
        self.session = event.session.as_deref().map(id);
        let tool = event.tool.as_ref();
        self.tool = tool.map(|tool| id(&tool.name));
        self.tool_use = tool.and_then(|tool| tool.use_id.as_deref().map(id));
        self.transcript = owned(own.or(event.transcript.as_ref().filter(|_| is_main)));
        self.words = search_words(event);
        self.moment = event.kind;
        self.name = id(event.shown_name());
        // A hook's own time is when it was called.
        if self.from.as_deref() == Some(INGEST) {
            self.own_ms = own_moment(event);
        }
    }

    /// How it came.
    pub(crate) fn came(&self) -> Came<'_> {
        Came {
            way: self.from.as_deref().unwrap_or(NAMELESS),
            at_ms: self.at_ms,
            own_ms: self.own_ms,
        }
    }

    /// A tool call is known by its id, anything else by all that it says.
    fn print(&self, payload: &str) -> Fingerprint {
        let session = self.session.as_deref().unwrap_or_default();
        let parts = [self.name.as_str(), session, &self.meaning.agent];
        match &self.tool_use {
            Some(call) => Fingerprint::of(&[&parts[..], &[call]].concat()),
            None => Fingerprint::of_content(&parts, payload),
        }
    }

    /// A record of our own making: it can be read.
    pub(crate) fn of_text(record: &str) -> Self {
        if let Ok(envelope) = Envelope::parse(record) {
            return Self::of_envelope(envelope, record);
        }
        let meta = Meta::gather(&|_| None, None, Client::default(), None);
        Self::of_meta(meta, Meaning::of_nothing(), record)
    }

    /// Whether it came by no hook of ours.
    pub(crate) fn came_by_others(&self) -> bool {
        self.from.as_deref().is_some_and(is_own_way)
    }

    /// It is about a helper of the client's own: the session lives, and nobody has come or gone.
    pub(crate) fn set_helper(&mut self) {
        let agent = self.session.clone().unwrap_or_default();
        self.is_helper = true;
        self.transcript = None;
        self.meaning = Meaning {
            kind: EventType::Heartbeat,
            severity: Severity::Debug,
            agent,
            ..Meaning::of_nothing()
        };
    }

    /// Whether the guard refused its tool call.
    pub fn is_refused(&self) -> bool {
        let how = self.stopped.as_ref().map(|stopped| stopped.how);
        how == Some(StopHow::Refused)
    }

    /// Whether it is no event.
    pub fn is_schema_error(&self) -> bool {
        self.meaning.kind == EventType::SchemaError
    }
}

/// A name or an id as it may be shown anywhere; the record has it as it was sent.
fn id(text: &str) -> String {
    text::shown_id(text).into_owned()
}

fn owned(text: Option<&Cow<'_, str>>) -> Option<String> {
    text.map(|text| text.clone().into_owned())
}

/// One event as it is read back.
#[derive(Debug, Clone)]
pub struct Stored {
    /// Its place in the order of the journal.
    pub seq: i64,
    /// The record as it stood in the journal: `{v, meta, payload}`.
    pub record: String,
}

/// A stored event as JSON: the record with its place in the order.
#[derive(Serialize)]
struct Shown<'a> {
    seq: i64,
    meta: &'a RawValue,
    payload: &'a RawValue,
}

/// The parts of a record that are shown as they are.
#[derive(serde::Deserialize)]
struct Parts<'a> {
    #[serde(borrow)]
    meta: &'a RawValue,
    #[serde(borrow)]
    payload: &'a RawValue,
}

impl Stored {
    /// The event as one line of JSON, as it was recorded.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let Parts { meta, payload } = serde_json::from_str(&self.record)?;
        serde_json::to_string(&Shown {
            seq: self.seq,
            meta,
            payload,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0197f0f0-0000-7000-8000-000000000001";

    #[test]
    fn a_record_becomes_a_row() {
        let record = format!(
            r#"{{"v":1,"meta":{{"id":"{ID}","at_ms":5,"workspace_id":"shop"}},"payload":{{"hook_event_name":"PreToolUse","session_id":"s","agent_id":"a","tool_name":"Bash","tool_use_id":"t","tool_input":{{}}}}}}"#
        );
        let row = Row::from_record(record.as_bytes()).unwrap();
        assert_eq!(
            (row.at_ms, row.name.as_str(), row.workspace.as_deref()),
            (5, "PreToolUse", Some("shop"))
        );
        assert_eq!(
            (row.session.as_deref(), row.meaning.agent.as_str()),
            (Some("s"), "a")
        );
        assert_eq!(
            (row.tool.as_deref(), row.tool_use.as_deref()),
            (Some("Bash"), Some("t"))
        );
    }

    #[test]
    fn an_event_that_its_registration_names_is_stored_as_that() {
        let record = format!(
            r#"{{"v":1,"meta":{{"id":"{ID}","client":"claude","client_version":"1.0.38","event":"Stop"}},"payload":{{"session_id":"s","transcript_path":"/t","stop_hook_active":false}}}}"#
        );
        let row = Row::from_record(record.as_bytes()).unwrap();
        assert_eq!((row.moment, row.name.as_str()), (Kind::Stop, "Stop"));
        assert!(!row.is_schema_error());
        // The same once more, as it is read back from the store.
        assert_eq!(Row::of_text(&record).moment, Kind::Stop);
    }

    #[test]
    fn what_was_no_event_is_stored_too() {
        let record = format!(r#"{{"v":1,"meta":{{"id":"{ID}"}},"payload":"half a JS"}}"#);
        assert_eq!(
            Row::from_record(record.as_bytes()).unwrap().name,
            UNREADABLE
        );
        assert!(Row::from_record(b"{}").is_err());
        assert!(Row::from_record(b"\xff").is_err());
    }

    #[test]
    fn a_stored_event_is_shown_with_its_place() {
        let record = format!(r#"{{"v":1,"meta":{{"id":"{ID}"}},"payload":{{"a":1}}}}"#);
        let json = Stored { seq: 7, record }.to_json().unwrap();
        assert_eq!(
            json,
            format!(r#"{{"seq":7,"meta":{{"id":"{ID}"}},"payload":{{"a":1}}}}"#)
        );
    }
}
