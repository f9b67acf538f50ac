//! The client's payloads as it writes them, typed, for all its events.
//!
//! Every field is optional and read leniently (see [`crate::fields`]). A field with several names
//! has the client's own name first; the others are what older clients and forwarders send, and
//! count only where the first is missing. Each file declares some shapes and, beside each, what it
//! means for our [`crate::event::Event`].

#![expect(
    clippy::struct_field_names,
    reason = "the fields bear the client's names, and some of those repeat the event's"
)]

mod body;
mod elicitation;
mod envelope;
mod files;
mod session;
mod shape;
mod team;
mod tool;
mod turn;
mod whole;
mod written;

pub(super) use whole::Payload;
pub(super) use written::write;
