//! An event on its way into the store and out of it.

use bellwether_protocol::claude;
use bellwether_spine::SpineError;
use bellwether_spine::chain::Head;
use bellwether_spine::journal::Envelope;
use serde::Serialize;
use serde_json::value::RawValue;

/// The name under which something that was no event is stored.
const UNREADABLE: &str = "(unreadable)";

/// One event, ready to be stored.
#[derive(Debug, Clone)]
pub struct Row {
    /// Its id.
    pub id: [u8; 16],
    /// When it happened, milliseconds since 1970.
    pub at_ms: u64,
    /// Its session.
    pub session: Option<String>,
    /// The subagent or teammate it is about.
    pub agent: Option<String>,
    /// Its name, as the client calls it.
    pub name: String,
    /// The tool it is about.
    pub tool: Option<String>,
    /// The tool call it is about.
    pub tool_use: Option<String>,
    /// The project's short name.
    pub workspace: Option<String>,
    /// The project's folder.
    pub project: Option<String>,
    /// Where the audit chain stood, when this went into it.
    pub audit: Option<Head>,
    /// The record as it stands in the journal.
    pub record: Box<str>,
}

impl Row {
    /// Reads a journal record.
    pub fn from_record(record: &[u8]) -> Result<Self, SpineError> {
        let text =
            std::str::from_utf8(record).map_err(|error| SpineError::Record(error.to_string()))?;
        let envelope = Envelope::parse(text)?;
        let owned = |text: &Option<std::borrow::Cow<'_, str>>| text.as_deref().map(str::to_owned);
        let mut row = Self {
            id: *envelope.meta.id.as_bytes(),
            at_ms: envelope.meta.at_ms,
            session: None,
            agent: None,
            name: UNREADABLE.to_owned(),
            tool: None,
            tool_use: None,
            workspace: owned(&envelope.meta.workspace_id),
            project: owned(&envelope.meta.project_dir),
            audit: envelope.meta.audit.clone(),
            record: text.into(),
        };
        if let Ok(event) = claude::parse(envelope.payload.get()) {
            row.session = owned(&event.session);
            row.agent = event.agent.as_ref().and_then(|agent| owned(&agent.id));
            row.tool = event
                .tool
                .as_ref()
                .map(|tool| tool.name.clone().into_owned());
            row.tool_use = event.tool.as_ref().and_then(|tool| owned(&tool.use_id));
            row.name = event.name.into_owned();
        }
        Ok(row)
    }
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
            (row.session.as_deref(), row.agent.as_deref()),
            (Some("s"), Some("a"))
        );
        assert_eq!(
            (row.tool.as_deref(), row.tool_use.as_deref()),
            (Some("Bash"), Some("t"))
        );
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
