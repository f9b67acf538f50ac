//! One record: `{v, meta, payload}`.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::framing::{LF, RS};
use super::payload::Payload;
use crate::SpineError;
use crate::meta::Meta;

/// The version of the envelope that this program writes.
const FORMAT: u32 = 1;

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
    /// Reads the JSON of one record, without its frame.
    pub fn parse(json: &'a str) -> Result<Self, SpineError> {
        serde_json::from_str(json).map_err(|error| SpineError::Record(error.to_string()))
    }

    /// One framed record, ready to be appended.
    pub fn encode(meta: &Meta<'_>, payload: Payload<'_>) -> Result<Vec<u8>, SpineError> {
        let size = match payload {
            Payload::Json(text) | Payload::Unreadable(text) => text.len(),
        };
        let mut out = Vec::with_capacity(size + 1024);
        out.push(RS);
        out.extend_from_slice(format!("{{\"v\":{FORMAT},\"meta\":").as_bytes());
        serde_json::to_writer(&mut out, meta)
            .map_err(|error| SpineError::Record(error.to_string()))?;
        out.extend_from_slice(b",\"payload\":");
        payload.write_into(&mut out);
        out.extend_from_slice(&[b'}', LF]);
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meta() -> Meta<'static> {
        Meta::gather(&|_| None, None, None, Some("user"))
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
            (FORMAT, meta.id, "{\"a\": 1}")
        );
        assert_eq!(read.meta.from.as_deref(), Some("user"));
    }

    #[test]
    fn a_record_that_is_none_says_why() {
        let error = Envelope::parse("{\"v\":1}").unwrap_err().to_string();
        assert!(error.contains("meta"), "{error}");
    }
}
