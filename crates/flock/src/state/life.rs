//! The state of one agent, with what the next state depends on.

use serde::{Deserialize, Serialize};

use super::Status;
use crate::normal::Dialog;

/// What the person is waited for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Wait {
    /// The tool that needs permission.
    pub tool: Option<String>,
    /// What that tool would do, or what is asked, as it is told.
    pub about: Option<String>,
    pub since_ms: u64,
    /// The client has put this before the person: it stands until something settles it.
    pub dialog: Option<Dialog>,
    /// The client has said so a second time: the question is still open.
    pub confirmed: bool,
}

/// The state of one agent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Life {
    pub status: Status,
    pub since_ms: u64,
    /// What it does behind a state that only lasts for a moment, and goes on with afterwards.
    pub behind: Option<Status>,
    /// How many tool calls failed in a row.
    pub failures: u32,
    /// What the person is waited for, the newest last: tools run side by side, and each may ask.
    pub waits: Vec<Wait>,
    /// It has something to do, so that being startled leads back to work.
    pub has_task: bool,
}

impl Life {
    /// One that is not there yet.
    pub fn offline() -> Self {
        Self {
            status: Status::Offline,
            ..Self::default()
        }
    }

    pub fn at(status: Status, since_ms: u64) -> Self {
        Self {
            status,
            since_ms,
            ..Self::default()
        }
    }

    /// The state behind those that only last for a moment.
    pub fn lasting(&self) -> Status {
        use Status::{Appearing, Chatting, Returning, Startled, Walking};
        match self.status {
            Appearing | Startled | Walking | Chatting | Returning => {
                self.behind.unwrap_or(Status::Idle)
            }
            status => status,
        }
    }

    /// Since when the person is waited for.
    pub fn waits_since(&self) -> Option<u64> {
        self.waits.iter().map(|wait| wait.since_ms).min()
    }

    /// Whether a dialog of the client stands.
    pub fn has_dialog(&self) -> bool {
        self.waits.iter().any(|wait| wait.dialog.is_some())
    }

    pub(super) fn set(&mut self, status: Status, now_ms: u64) {
        self.status = status;
        self.since_ms = now_ms;
        self.behind = None;
        if status != Status::PendingInput {
            self.waits.clear();
        }
    }
}
