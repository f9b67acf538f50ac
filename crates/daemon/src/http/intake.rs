//! What a request to `/ingest` carries: one event, or an array of them.

use bellwether_flock::{Foreign, frame};
use bellwether_spine::text;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

/// So much of what is wrong is told.
const TOLD: usize = 300;

#[derive(Debug)]
pub struct Sent {
    /// What is to be stored, as it goes into the journal; what is wrong is among it, as a `schema_error`.
    pub records: Vec<u8>,
    /// How many events that are.
    pub count: usize,
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

impl Sent {
    /// Reads a body; what is no JSON says where.
    pub fn read(body: &[u8]) -> Result<Self, String> {
        let wrong = |error: &dyn std::fmt::Display| format!("the body is no JSON: {error}");
        let body = std::str::from_utf8(body).map_err(|error| wrong(&error))?;
        let body = body.trim_ascii();
        if body.starts_with('[') {
            let events: Vec<&RawValue> =
                serde_json::from_str(body).map_err(|error| wrong(&error))?;
            return Ok(Self::of(events.into_iter().map(RawValue::get)));
        }
        let sent = Self::of([body]);
        // One that cannot be read at all is no event that could be stored as a wrong one.
        if !sent.rejected.is_empty() {
            serde_json::from_str::<&RawValue>(body).map_err(|error| wrong(&error))?;
        }
        Ok(sent)
    }

    fn of<'a>(events: impl IntoIterator<Item = &'a str>) -> Self {
        let mut sent = Self {
            records: Vec::new(),
            count: 0,
            rejected: Vec::new(),
        };
        for (index, event) in events.into_iter().enumerate() {
            let framed = frame(event, &Foreign::default());
            if let Some(invalid) = framed.invalid {
                let field = Some(invalid.field).filter(|field| !field.is_empty());
                let error = match &field {
                    Some(field) => format!("{field}: {}", invalid.why),
                    None => invalid.why,
                };
                let error = text::shown(&error, TOLD);
                sent.rejected.push(Rejected {
                    index,
                    error,
                    field,
                });
            }
            sent.records.extend_from_slice(&framed.record);
            sent.count += 1;
        }
        sent
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
            let error = Sent::read(body).unwrap_err();
            assert!(
                error.contains(part) && error.starts_with("the body is no JSON"),
                "{error}"
            );
        }
    }
}
