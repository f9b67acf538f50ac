//! One payload: what every event may have, and what its own event has.

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{
    body::Body,
    envelope::Envelope,
    shape::{Shape, Tell},
};
use crate::event::{Event, Kind};
use crate::fields::Fields;

/// A payload of the client. Written again it has the fields that are typed here, under the client's
/// own names; the unknown ones are in the text it was read from.
#[derive(Debug, Clone)]
pub(in crate::client::products::claude) struct Payload<'a> {
    kind: Kind,
    envelope: Envelope<'a>,
    body: Body<'a>,
}

impl<'a> Payload<'a> {
    /// Reads the fields of a payload, whose registration may have named the event.
    pub(in crate::client::products::claude) fn read(
        fields: &Fields<'a>,
        named: Option<Kind>,
    ) -> Self {
        let envelope = Envelope::read(fields);
        let kind = match envelope.hook_event_name.as_deref() {
            Some(own) if !own.is_empty() => Kind::from_name(own),
            _ => named.unwrap_or_default(),
        };
        Self {
            kind,
            envelope,
            body: Body::read(kind, fields),
        }
    }

    pub(super) fn new(kind: Kind, envelope: Envelope<'a>, body: Body<'a>) -> Self {
        Self {
            kind,
            envelope,
            body,
        }
    }

    /// The payload in our own words.
    pub(in crate::client::products::claude) fn into_event(self) -> Event<'a> {
        let mut event = Event {
            kind: self.kind,
            ..Event::default()
        };
        self.envelope.tell(&mut event);
        self.body.tell(&mut event);
        if event.name.is_empty() && event.kind != Kind::Other {
            event.name = event.kind.as_str().into();
        }
        event
    }
}

impl Serialize for Payload<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.envelope.write(&mut map)?;
        self.body.write(&mut map)?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use serde_json::Value;

    use super::*;
    use crate::error::ParseError;

    fn parse(text: &str) -> Result<Payload<'_>, ParseError> {
        Fields::parse(text).map(|fields| Payload::read(&fields, None))
    }

    /// Every payload that was recorded of the newest version, with the name of its file.
    fn recorded() -> Vec<(String, String)> {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
        payloads_in(&fixtures.join("payloads"))
    }

    /// Those of older versions, each of which has a folder.
    fn recorded_of_older() -> Vec<(String, String)> {
        let older = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/older");
        let versions = fs::read_dir(older).unwrap();
        versions
            .flat_map(|version| payloads_in(&version.unwrap().path()))
            .collect()
    }

    fn payloads_in(folder: &Path) -> Vec<(String, String)> {
        let files = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        files
            .map(|path| {
                let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
                (name, fs::read_to_string(&path).unwrap())
            })
            .collect()
    }

    fn kind_of(file: &str) -> Kind {
        Kind::from_name(file.split('-').next().unwrap())
    }

    /// `null` says the same as no field.
    fn without_nulls(json: &str) -> Value {
        let mut value: Value = serde_json::from_str(json).unwrap();
        value
            .as_object_mut()
            .unwrap()
            .retain(|_, field| !field.is_null());
        value
    }

    #[test]
    fn every_kind_was_recorded() {
        let files = recorded();
        for &kind in Kind::ALL {
            assert!(
                files.iter().any(|(file, _)| kind_of(file) == kind),
                "{kind}"
            );
        }
    }

    #[test]
    fn every_recorded_field_is_typed() {
        for (file, text) in recorded().into_iter().chain(recorded_of_older()) {
            let written = serde_json::to_string(&parse(&text).unwrap()).unwrap();
            assert_eq!(without_nulls(&written), without_nulls(&text), "{file}");
        }
    }

    #[test]
    fn every_recorded_event_says_what_and_where() {
        for (file, text) in recorded().into_iter().chain(recorded_of_older()) {
            let event = parse(&text).unwrap().into_event();
            assert_eq!(event.kind, kind_of(&file), "{file}");
            assert_eq!(event.name, event.kind.as_str(), "{file}");
            let place = [&event.session, &event.cwd, &event.transcript];
            assert!(place.into_iter().all(Option::is_some), "{file}");
        }
    }

    #[test]
    fn a_call_in_an_older_version_is_known_by_its_tool() {
        const OF_A_TOOL: [Kind; 4] = [
            Kind::PreToolUse,
            Kind::PostToolUse,
            Kind::PostToolUseFailure,
            Kind::PermissionRequest,
        ];
        let files = recorded_of_older();
        assert!(files.len() > 100, "only {}", files.len());
        for (file, text) in files {
            let event = parse(&text).unwrap().into_event();
            let tool = event.tool.as_ref().map(|tool| tool.name.as_ref());
            let named = file.split('-').nth(1);
            let of_a_tool = OF_A_TOOL.contains(&event.kind);
            assert_eq!(tool, named.filter(|_| of_a_tool), "{file}");
        }
    }

    #[test]
    fn no_damage_to_a_payload_is_worse_than_an_error() {
        let mut random = 0x5eed_u64;
        let mut next = |below: usize| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(random >> 33).unwrap() % below
        };
        for (_, text) in recorded() {
            for _ in 0..200 {
                let mut bytes = text.clone().into_bytes();
                let at = next(bytes.len());
                match next(3) {
                    0 => bytes.truncate(at),
                    1 => bytes[at] = b"{}[]\",:\\0eu\x00"[next(12)],
                    _ => drop(bytes.remove(at)),
                }
                let _ = parse(&String::from_utf8_lossy(&bytes)).map(Payload::into_event);
            }
        }
    }
}
