//! HTTP on the loopback addresses: the collector of seed 004, the client's own HTTP hooks, the API and
//! the live stream.
//!
//! A route is one file in `routes/` and one line in its list; the router, `docs/openapi.json` and
//! `docs/api.md` are made of that list.
//!
//! Architecture Invariant: nothing is done for a request before it is known whose it is (`access/`), and
//! nothing here waits for the disk on the runtime's thread.

mod access;
mod address;
mod answer;
mod bind;
mod body;
mod client;
mod collector;
mod content;
mod document;
mod intake;
mod library;
mod other_end;
mod pace;
mod page;
mod parameter;
mod patient;
mod permission;
mod person;
mod route;
mod router;
mod routes;
mod serve;
mod state;
mod stream;
mod view;

pub(crate) use access::Keys;
pub use access::TokenView;
pub(crate) use address::address;
pub(crate) use bind::bind;
pub(crate) use collector::Collector;
pub use document::{openapi, reference};
pub use intake::{NotRead, Rejected, Sent};
pub(crate) use library::Library;
pub use parameter::encoded;
pub(crate) use serve::serve_on;
pub(crate) use state::State;
