//! One record: `{v, meta, payload}`.

use bellwether_protocol::error::ParseError;
use bellwether_protocol::event::Event;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::framing::{LF, RS};
use super::payload::Payload;
use crate::SpineError;
use crate::meta::Meta;

/// What a record begins with: the version of the envelope that this program writes is among it.
const BEFORE_META: &str = "{\"v\":1,\"meta\":";
const BEFORE_PAYLOAD: &str = ",\"payload\":";

/// A record as it is read back.
#[derive(Debug, Deserialize)]
pub struct Envelope<'a> {
    /// The version of the envelope's format.
    #[serde(default)]
    pub v: u32,
    /// What is known beside the payload.
    #[serde(borrow)]
    pub meta: Meta<'a>,
    /// The payload as sent; a string when it could not be read as an event.
    #[serde(borrow)]
    pub payload: &'a RawValue,
}

impl<'a> Envelope<'a> {
    /// The event that was sent, as its own client means it.
    pub fn event(&self) -> Result<Event<'a>, ParseError> {
        self.meta.read(self.payload.get())
    }

    /// Reads the JSON of one record, without its frame.
    pub fn parse(json: &'a str) -> Result<Self, SpineError> {
        serde_json::from_str(json).map_err(|error| SpineError::Record(error.to_string()))
    }

    /// What stands beside the payload, and the text of the payload, of a record that is laid out as [`Self::encode`]
    /// does it. The payload has not been looked at, so that whoever reads it need not read it twice.
    pub fn split(json: &'a str) -> Option<(Meta<'a>, &'a str)> {
        let rest = json.strip_prefix(BEFORE_META)?;
        let mut metas = serde_json::Deserializer::from_str(rest).into_iter();
        let meta = metas.next()?.ok()?;
        let rest = &rest[metas.byte_offset()..];
        let payload = rest.strip_prefix(BEFORE_PAYLOAD)?.strip_suffix('}')?;
        Some((meta, payload))
    }

    /// One framed record, ready to be appended.
    pub fn encode(meta: &Meta<'_>, payload: Payload<'_>) -> Result<Vec<u8>, SpineError> {
        let size = match payload {
            Payload::Json(text) | Payload::Unreadable(text) => text.len(),
        };
        let mut out = Vec::with_capacity(size + 1024);
        out.push(RS);
        out.extend_from_slice(BEFORE_META.as_bytes());
        serde_json::to_writer(&mut out, meta)
            .map_err(|error| SpineError::Record(error.to_string()))?;
        out.extend_from_slice(BEFORE_PAYLOAD.as_bytes());
        payload.write_into(&mut out);
        out.extend_from_slice(&[b'}', LF]);
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use bellwether_protocol::client::Client;

    use super::*;

    fn meta() -> Meta<'static> {
        Meta::gather(&|_| None, None, Client::default(), Some("user"))
    }

    #[test]
    fn what_is_written_is_read_back() {
        let meta = meta();
        let bytes = Envelope::encode(&meta, Payload::Json("{\"a\":\n1}\n")).unwrap();
        assert_eq!((bytes[0], bytes[bytes.len() - 1]), (RS, LF));
        let text = std::str::from_utf8(&bytes[1..bytes.len() - 1]).unwrap();
        assert!(!text.contains('\n'));
        let read = Envelope::parse(text).unwrap();
        assert_eq!(
            (read.v, read.meta.id, read.payload.get()),
            (1, meta.id, "{\"a\": 1}")
        );
        assert_eq!(read.meta.from.as_deref(), Some("user"));
        let (split, payload) = Envelope::split(text).unwrap();
        assert_eq!((split.id, payload), (read.meta.id, read.payload.get()));
    }

    #[test]
    fn a_record_that_is_laid_out_otherwise_is_not_split() {
        let meta = format!(r#"{{"id":"{}"}}"#, uuid::Uuid::nil());
        for record in [
            String::new(),
            format!(r#"{{"v":2,"meta":{meta},"payload":1}}"#),
            format!(r#"{{"v":1, "meta":{meta},"payload":1}}"#),
            format!(r#"{{"v":1,"meta":{meta},"more":1,"payload":1}}"#),
            format!(r#"{{"v":1,"meta":{meta},"payload":1"#),
            r#"{"v":1,"meta":{},"payload":1}"#.to_owned(),
        ] {
            assert!(Envelope::split(&record).is_none(), "{record}");
        }
        let more = format!(r#"{{"v":1,"meta":{meta},"payload":1,"more":2}}"#);
        let (_, payload) = Envelope::split(&more).unwrap();
        assert_eq!(payload, "1,\"more\":2", "which is no payload");
    }

    #[test]
    fn a_record_that_is_none_says_why() {
        let error = Envelope::parse("{\"v\":1}").unwrap_err().to_string();
        assert!(error.contains("meta"), "{error}");
    }
}
