//! An event that has been answered, as the journal gets it.

use bellwether_protocol::client::{Client, Rendered, Version};
use bellwether_protocol::event::{Event, Kind};
use bellwether_protocol::reply::{Decision, Reply};
use bellwether_spine::SpineError;
use bellwether_spine::chain::Head;
use bellwether_spine::journal::{Envelope, Keep, Payload};
use bellwether_spine::meta::{self, Id, Meta, Ruling};
use serde_json::value::RawValue;

/// An event and what was answered.
#[derive(Debug, Clone, Copy)]
pub struct Handled<'a> {
    pub event: &'a Event<'a>,
    /// The text that it was read from.
    pub text: &'a str,
    pub reply: &'a Reply,
    /// How that was written for the client.
    pub rendered: &'a Rendered,
    /// Where the audit chain stands, when this went into it.
    pub audit: Option<&'a Head>,
    /// What the guard said about it.
    pub ruling: Option<&'a Ruling<'static>>,
}

/// Who calls, and what the registered words say of that.
#[derive(Debug, Clone, Copy, Default)]
pub struct CalledBy<'a> {
    pub client: Client,
    /// The version that is registered.
    pub registered: Option<Version>,
    /// Which registration it is.
    pub from: Option<&'a str>,
    /// The event that is registered, for clients that do not name it.
    pub event: Option<Kind>,
}

impl CalledBy<'_> {
    /// The client as it is registered: which events come by this registration, and which do not.
    pub fn registration(&self) -> Client {
        let product = self.client.product;
        match (self.from, self.registered) {
            (Some(meta::PLUGIN), _) => Client::new(product, product.wire().plugin),
            (_, Some(version)) => Client::new(product, version),
            (_, None) => self.client,
        }
    }
}

impl Handled<'_> {
    /// Whether a full journal may drop it: what we refused an agent stays on record.
    pub fn keep(&self) -> Keep {
        match self.reply.decision {
            Some(Decision::Ask(_) | Decision::Block(_) | Decision::Deny(_)) => Keep::Always,
            Some(Decision::Allow) | None => Keep::IfRoom,
        }
    }

    /// The framed record, and its id.
    pub fn record(&self, caller: CalledBy<'_>) -> Result<(Vec<u8>, Id), SpineError> {
        let said = self.rendered.stdout.as_deref();
        let other = |version: &Version| *version != caller.client.version;
        let registered = caller.registered.filter(other);
        let meta = Meta {
            registered: registered.map(|version| version.to_string().into()),
            event: caller.event.map(|kind| kind.as_str().into()),
            audit: self.audit.cloned(),
            guard: self.ruling.cloned(),
            reply: said.and_then(|said| serde_json::from_str::<&RawValue>(said).ok()),
            ..Meta::gather(
                &meta::variable,
                Some(self.event),
                caller.client,
                caller.from,
            )
        };
        let record = Envelope::encode(&meta, Payload::Json(self.text))?;
        Ok((record, meta.id))
    }
}
