//! What the guard stopped in a session, from bellwether's own record.

use std::collections::HashMap;

use serde::Serialize;

use crate::shown::line;

/// A tool call that the guard had something against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stop {
    pub at_ms: u64,
    pub how: StopHow,
    /// The rules that were against it.
    pub rules: Vec<String>,
    pub reason: String,
    /// The command or the file.
    pub subject: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StopHow {
    Refused,
    /// The person was asked first.
    Asked,
}

/// The stops of a session.
#[derive(Debug, Clone, Default)]
pub struct Stops {
    by_call: HashMap<String, Stop>,
    /// Those that name no call, the oldest first.
    others: Vec<Stop>,
}

impl Stops {
    /// Takes one more, with the client's id of the call where it is known.
    pub fn add(&mut self, call: Option<String>, stop: &Stop) {
        let stop = Stop {
            at_ms: stop.at_ms,
            how: stop.how,
            reason: line(&stop.reason, 400),
            subject: line(&stop.subject, 400),
            rules: stop.rules.iter().map(|rule| line(rule, 60)).collect(),
        };
        if let Some(call) = call {
            self.by_call.insert(call, stop);
            return;
        }
        let is_before = |other: &Stop| other.at_ms <= stop.at_ms;
        let place = self.others.partition_point(is_before);
        self.others.insert(place, stop);
    }

    pub fn len(&self) -> usize {
        self.by_call.len() + self.others.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn of_call(&self, id: &str) -> Option<&Stop> {
        self.by_call.get(id)
    }

    pub(crate) fn calls(&self) -> impl Iterator<Item = &str> {
        self.by_call.keys().map(String::as_str)
    }

    pub(crate) fn others(&self) -> &[Stop] {
        &self.others
    }
}
