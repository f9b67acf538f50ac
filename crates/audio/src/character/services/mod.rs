//! Services that rewrite: one file each, one line in [`of`].

mod anthropic;
mod openai;

use super::{Service, Settings, Way};
use crate::Secret;
use crate::http::{Failure, Request};
use crate::voice::Keys;

/// A request for words, ready to be sent from any thread.
pub(super) struct WordsRequest {
    request: Request,
    body: serde_json::Value,
    read: fn(&serde_json::Value) -> Option<&str>,
}

/// How a service is asked.
type Ask = fn(&Service, Option<&Secret>, &str, &str) -> WordsRequest;

/// The service that the settings name, with its settings and its key; none when words come from the
/// profile itself.
pub(super) fn of<'a>(
    settings: &'a Settings,
    keys: &'a Keys,
) -> Option<(Ask, &'a Service, Option<&'a Secret>)> {
    match settings.rewrite {
        Way::Offline => None,
        Way::Anthropic => Some((anthropic::ask, &settings.anthropic, keys.anthropic.as_ref())),
        Way::Openai => Some((openai::ask, &settings.openai, keys.openai.as_ref())),
    }
}

impl WordsRequest {
    /// Sends it and waits for the words.
    pub(super) fn send(&self) -> Result<String, Failure> {
        let answer = crate::http::json(self.request.post(&self.body)?)?;
        let words = (self.read)(&answer).map(str::to_owned);
        words.ok_or_else(|| Failure::new(crate::Lasting::Line, "the answer has no words"))
    }
}

/// An address, or the usual one.
fn base<'a>(service: &'a Service, usual: &'a str) -> &'a str {
    match service.base_url.trim() {
        "" => usual,
        named => named,
    }
}
