//! What was read in 248 published versions, compared with the tables that the program has of it.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::client::{Client, Product, Version};

/// `fixtures/matrix.json`, as far as it is compared.
#[derive(Deserialize)]
struct Matrix {
    examined: Vec<String>,
    events: BTreeMap<String, Known>,
    handler_types: BTreeMap<String, Known>,
    command_fields: BTreeMap<String, Known>,
}

#[derive(Deserialize)]
struct Known {
    since: String,
    last_without: String,
    /// Versions after that one which lack it again.
    #[serde(default)]
    absent: Vec<String>,
}

impl Known {
    fn is_in(&self, version: &str) -> bool {
        let is_later = parsed(version) >= parsed(&self.since);
        is_later && !self.absent.iter().any(|absent| absent == version)
    }
}

fn parsed(version: &str) -> Version {
    Version::parse(version).unwrap()
}

fn matrix() -> Matrix {
    serde_json::from_str(include_str!("../../../../fixtures/matrix.json")).unwrap()
}

fn client(version: &str) -> Client {
    Client::new(Product::Claude, parsed(version))
}

#[test]
fn every_version_that_was_read_knows_what_the_catalog_says() {
    let matrix = matrix();
    assert_eq!(matrix.examined.len(), 248);
    for version in &matrix.examined {
        let client = client(version);
        for (event, known) in &matrix.events {
            let has = client.entry(client.kind_of(event)).is_some();
            assert_eq!(has, known.is_in(version), "{event} in {version}");
        }
    }
    let named = client("2.1.325").catalog().len();
    assert_eq!(
        matrix.events.len(),
        named,
        "no event is in one of them alone"
    );
}

#[test]
fn handlers_and_their_fields_come_when_they_were_seen() {
    let (matrix, wire) = (matrix(), Product::Claude.wire());
    for handler in wire.handlers {
        let known = &matrix.handler_types[handler.name];
        assert_eq!(
            handler.support.since,
            parsed(&known.since),
            "{}",
            handler.name
        );
    }
    for field in wire.fields {
        if let Some(known) = matrix.command_fields.get(field.name) {
            assert_eq!(field.support.since, parsed(&known.since), "{}", field.name);
            assert!(parsed(&known.last_without) < field.support.since);
        }
    }
}

#[test]
fn what_a_version_lacks_is_replaced_or_is_not_to_be_had() {
    for version in matrix().examined {
        let client = client(&version);
        for stand_in in client.stand_ins() {
            assert!(client.entry(stand_in.kind).is_none(), "{version}");
        }
    }
    assert_eq!(client("2.1.325").stand_ins().count(), 0);
    assert_eq!(client("1.0.85").stand_ins().count(), 9);
}
