//! Tool calls that have begun and not ended: how long they took, and whom they start.

use serde::{Deserialize, Serialize};

use crate::normal::NewAgent;

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
    /// The agent that it starts.
    #[serde(default)]
    agent: Option<NewAgent>,
    /// That agent has come.
    #[serde(default)]
    has_come: bool,
}

impl Calls {
    pub(super) fn open(&mut self, id: &str, at_ms: u64, agent: Option<NewAgent>) {
        if self.0.len() >= OPEN {
            self.0.remove(0);
        }
        self.0.push(Call {
            id: id.to_owned(),
            at_ms,
            agent,
            has_come: false,
        });
    }

    /// Ends a call; how long it took, when its beginning was seen.
    pub(super) fn close(&mut self, id: &str, at_ms: u64) -> Option<u64> {
        let place = self.0.iter().position(|call| call.id == id)?;
        let call = self.0.remove(place);
        at_ms.checked_sub(call.at_ms)
    }

    /// The calls whose agent has not come, the oldest first.
    pub(super) fn waiting(&self) -> impl Iterator<Item = (&str, &NewAgent)> {
        let waiting = self.0.iter().filter(|call| !call.has_come);
        waiting.filter_map(|call| Some((call.id.as_str(), call.agent.as_ref()?)))
    }

    /// The agent of a call has come, or was taken for another and has not.
    pub(super) fn mark(&mut self, id: &str, has_come: bool) {
        if let Some(call) = self.0.iter_mut().find(|call| call.id == id) {
            call.has_come = has_come;
        }
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}
