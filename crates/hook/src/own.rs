//! Events of our own that go into the journal behind what led to them.

use std::path::Path;

use bellwether_protocol::client::Client;
use bellwether_protocol::event::Event;
use bellwether_spine::SpineError;
use bellwether_spine::journal::{Envelope, Payload};
use bellwether_spine::meta::{self, Meta};

/// The record of one: in the words that our own events have, whoever sent the event before it, and by a way of ours.
pub(crate) fn record(
    event: &Event<'_>,
    client: Client,
    project: Option<&Path>,
    way: &str,
    payload: &str,
) -> Result<Vec<u8>, SpineError> {
    let meta = Meta {
        client: Some(Client::default().product.name().into()),
        client_version: None,
        project_dir: project.map(|project| project.display().to_string().into()),
        ..Meta::gather(&meta::variable, Some(event), client, Some(way))
    };
    Envelope::encode(&meta, Payload::Json(payload))
}
