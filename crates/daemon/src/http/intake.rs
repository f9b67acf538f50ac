//! What a request to `/ingest` carries: one event, or an array of them, and not more than can be stored in a
//! moment: a body of a few bytes an event would else become a hundred times as long in the journal.

use std::fmt;

use bellwether_flock::{Sender, frame};
use bellwether_spine::text;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::{self, Deserializer as _, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// So many events may come in one request.
pub(super) const MOST_EVENTS: usize = 5_000;
/// So many of those that are wrong are told and stored.
pub(super) const MOST_WRONG: usize = 20;
/// So much of what is wrong with one is told.
const TOLD: usize = 300;

#[derive(Debug, Default)]
pub struct Sent {
    /// What is to be stored, as it goes into the journal; of what is wrong the first few are among it, each as a
    /// `schema_error`.
    pub records: Vec<u8>,
    /// How many events came.
    pub count: usize,
    /// How many of them are wrong.
    pub wrong: usize,
    /// The first of those.
    pub rejected: Vec<Rejected>,
}

/// An event that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Rejected {
    /// Its place in the array, from 0.
    pub index: usize,
    /// What is wrong with it.
    pub error: String,
    /// The field that is wrong, with dots between its parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// Why nothing of a body was taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotRead {
    #[error("the body is no JSON: {0}")]
    NoJson(String),
    #[error(
        "more than {MOST_EVENTS} events in one request, of which none was stored; send fewer at a time"
    )]
    TooMany,
}

impl Sent {
    /// Reads a body; what is no JSON says where.
    pub fn read(body: &[u8]) -> Result<Self, NotRead> {
        let body = std::str::from_utf8(body).map_err(|error| no_json(&error))?;
        let body = body.trim_ascii();
        if body.starts_with('[') {
            return Self::read_many(body);
        }
        let mut sent = Self::default();
        sent.add(body);
        // One that cannot be read at all is no event that could be stored as a wrong one.
        if !sent.rejected.is_empty() {
            serde_json::from_str::<&RawValue>(body).map_err(|error| no_json(&error))?;
        }
        Ok(sent)
    }

    /// Nothing is made of an array before it is known to be one, and not too long.
    fn read_many(body: &str) -> Result<Self, NotRead> {
        let mut reader = serde_json::Deserializer::from_str(body);
        let events = reader
            .deserialize_seq(Events)
            .map_err(|error| no_json(&error))?;
        reader.end().map_err(|error| no_json(&error))?;
        if events.len() > MOST_EVENTS {
            return Err(NotRead::TooMany);
        }
        let mut sent = Self::default();
        for event in events {
            sent.add(event.get());
        }
        Ok(sent)
    }

    fn add(&mut self, event: &str) {
        let index = self.count;
        self.count += 1;
        let framed = frame(event, Sender::Other);
        if let Some(invalid) = framed.invalid {
            self.wrong += 1;
            if self.rejected.len() == MOST_WRONG {
                return;
            }
            let field = Some(invalid.field).filter(|field| !field.is_empty());
            let error = match &field {
                Some(field) => format!("{field}: {}", invalid.why),
                None => invalid.why,
            };
            self.rejected.push(Rejected {
                index,
                error: text::shown(&error, TOLD),
                field,
            });
        }
        self.records.extend_from_slice(&framed.record);
    }
}

fn no_json(error: &dyn fmt::Display) -> NotRead {
    NotRead::NoJson(error.to_string())
}

/// The events of an array, as they are written; one more than may come shows that it is too long.
struct Events;

impl<'de> Visitor<'de> for Events {
    type Value = Vec<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of events")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Self::Value, A::Error> {
        let mut events = Vec::new();
        while events.len() <= MOST_EVENTS {
            match array.next_element()? {
                Some(event) => events.push(event),
                None => return Ok(events),
            }
        }
        // The rest is read too, so that what is no JSON is told as that.
        while array.next_element::<de::IgnoredAny>()?.is_some() {}
        Ok(events)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"hook_type":"SubagentStart","session_id":"s","agent_name":"a"}"#;

    #[test]
    fn one_event_or_many() {
        let one = Sent::read(GOOD.as_bytes()).unwrap();
        assert_eq!((one.count, one.rejected.len()), (1, 0));
        let many = format!(" [{GOOD}, {{\"session_id\":1}} , 5]");
        let many = Sent::read(many.as_bytes()).unwrap();
        let wrong: Vec<(usize, Option<&str>)> = many
            .rejected
            .iter()
            .map(|rejected| (rejected.index, rejected.field.as_deref()))
            .collect();
        assert_eq!(many.count, 3);
        assert_eq!(wrong, [(1, Some("session_id")), (2, None)]);
        assert!(Sent::read(b"[]").unwrap().records.is_empty());
    }

    #[test]
    fn what_is_no_json_says_where() {
        for (body, part) in [
            (&b""[..], "EOF"),
            (b"{", "EOF"),
            (b"[1,", "EOF"),
            (b"{\"a\":}", "column"),
            (b"\xff", "utf-8"),
        ] {
            let error = Sent::read(body).unwrap_err().to_string();
            assert!(
                error.contains(part) && error.starts_with("the body is no JSON"),
                "{error}"
            );
        }
    }

    #[test]
    fn a_request_is_bounded_whatever_is_in_it() {
        let empty = format!("[{}{{}}]", "{},".repeat(1_500_000));
        let error = Sent::read(empty.as_bytes()).unwrap_err();
        assert_eq!(error, NotRead::TooMany);
        let wrong = format!("[{}{{}}]", "{},".repeat(MOST_EVENTS - 1));
        let sent = Sent::read(wrong.as_bytes()).unwrap();
        assert_eq!(
            (sent.count, sent.wrong, sent.rejected.len()),
            (MOST_EVENTS, MOST_EVENTS, MOST_WRONG)
        );
        assert!(sent.records.len() < 32 * 1024, "{}", sent.records.len());
        let broken = format!("[{}nope]", "{},".repeat(MOST_EVENTS + 1));
        let error = Sent::read(broken.as_bytes()).unwrap_err();
        assert!(matches!(error, NotRead::NoJson(_)), "{error}");
    }
}
