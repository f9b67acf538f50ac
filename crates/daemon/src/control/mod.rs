//! How the CLI talks to the daemon: one JSON request a line over a Unix socket, and one or more
//! JSON answers a line. Only the user that the daemon runs as is listened to.

mod client;
mod server;

pub use crate::http::TokenView;
pub use client::Client;
pub(crate) use server::{Context, serve};

use bellwether_spine::permission::{Asked, Told};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Decided;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ControlRequest {
    Status,
    /// Store everything that is in the journal, then answer.
    Sync,
    /// Say the place of the last stored event, now and whenever it moves.
    Watch,
    /// Say what was announced lately and what was not, and go on with what comes.
    Listen,
    /// Give an address that opens the page once.
    Open,
    /// Say whether whoever asks is a person.
    Person,
    /// Make a token for a program, under this name.
    NewToken(String),
    /// Name the tokens that there are.
    Tokens,
    /// End a token.
    Revoke(String),
    /// A person has changed settings: what the files hold now is what the person wants.
    Changed,
    /// Show a permission request to whoever has the page open; a hook asks this, and waits.
    Permission(Box<Asked>),
    Stop,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ControlAnswer {
    /// To [`ControlRequest::Status`].
    Status(Status),
    Done,
    /// The place of the last stored event.
    Stored(i64),
    /// To [`ControlRequest::Listen`], one at a time.
    Announcement(Decided),
    /// To [`ControlRequest::Open`].
    Address(String),
    /// To [`ControlRequest::Person`]: why not, if not.
    Person(Option<String>),
    /// To [`ControlRequest::NewToken`]; it is never shown again.
    Token(String),
    /// To [`ControlRequest::Tokens`].
    Tokens(Vec<TokenView>),
    /// To [`ControlRequest::Permission`]: whether it is shown, and then what came of it.
    Permission(Told),
    /// It could not be done.
    Failed(String),
}

/// How a daemon is.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DaemonStatus")]
pub struct Status {
    /// Its process.
    pub pid: u32,
    /// Its version.
    pub version: String,
    /// How long it has run, in milliseconds.
    pub up_ms: u64,
    /// How many events it has stored.
    pub events: u64,
    /// How many announcements it has made.
    #[serde(default)]
    pub announced: u64,
    /// How many of them were heard.
    #[serde(default)]
    pub heard: u64,
    /// When the first sample of the last one left for the speakers, in microseconds of the boot clock.
    #[serde(default)]
    pub sounded_us: u64,
    /// Why the last one was not heard, or not as a whole.
    #[serde(default)]
    pub sound_trouble: Option<String>,
    /// Where it serves HTTP.
    pub port: Option<u16>,
    /// Why it does not serve HTTP.
    pub http_trouble: Option<String>,
    /// Why it cannot store.
    pub store_trouble: Option<String>,
    /// Journal records cut off by the death of their writer.
    pub torn: u64,
    /// Runs of foreign bytes in the journal.
    pub foreign: u64,
}
