//! What is told of permission requests.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::waiting::Request;

/// How a request was settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "SettledHow")]
pub(crate) enum How {
    /// Somebody allowed it on the page.
    Allowed,
    /// Somebody refused it on the page.
    Denied,
    /// It was answered in the terminal.
    Terminal,
    /// Its time was over.
    Expired,
    /// Nobody waits for it any more: its hook has ended, or the last page was closed.
    Gone,
}

impl How {
    pub(crate) fn said(self) -> &'static str {
        match self {
            Self::Allowed => "it was allowed on the page",
            Self::Denied => "it was refused on the page",
            Self::Terminal => "it was answered in the terminal",
            Self::Expired => "its time was over",
            Self::Gone => "nobody waits for it any more",
        }
    }
}

/// Something that is told to whoever listens.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    /// One begins to wait.
    Began(Arc<Request>),
    Settled(String, How),
}
