//! Tool calls that have begun and not ended: how long they took, and who was started by them.

use serde::{Deserialize, Serialize};

/// So many calls of one agent may be open; a client runs a handful at a time.
const OPEN: usize = 64;

/// Calls that have not ended.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Calls(Vec<Call>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Call {
    id: String,
    at_ms: u64,
    /// What it is about, where it starts an agent that has not come yet.
    starts: Option<String>,
}

impl Calls {
    pub(super) fn open(&mut self, id: &str, at_ms: u64, starts: Option<String>) {
        if self.0.len() >= OPEN {
            self.0.remove(0);
        }
        self.0.push(Call {
            id: id.to_owned(),
            at_ms,
            starts,
        });
    }

    /// Ends a call; how long it took, when its beginning was seen.
    pub(super) fn close(&mut self, id: &str, at_ms: u64) -> Option<u64> {
        let place = self.0.iter().position(|call| call.id == id)?;
        let call = self.0.remove(place);
        at_ms.checked_sub(call.at_ms)
    }

    /// An agent has come: what the oldest call that waits for one is about.
    pub(super) fn take_start(&mut self) -> Option<String> {
        self.0.iter_mut().find_map(|call| call.starts.take())
    }

    /// Whether a call waits for an agent to come.
    pub(super) fn expects(&self) -> bool {
        self.0.iter().any(|call| call.starts.is_some())
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}
