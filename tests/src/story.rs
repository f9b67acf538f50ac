//! What somebody watching would say: recorded events become the states of each agent, one line each.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use bellwether_flock::{Change, Flock, Row, Status};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// As often as the daemon does, time passes for the flock.
const TICK_MS: u64 = 1_000;

/// One event of a recorded session.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Recorded {
    pub at_ms: u64,
    /// What was sent.
    pub payload: Value,
}

impl Recorded {
    /// From a line of `bellwether events --json`.
    pub fn of_stored(stored: &Value) -> Result<Self> {
        Ok(Self {
            at_ms: stored["meta"]["at_ms"].as_u64().context("a time")?,
            payload: stored["payload"].clone(),
        })
    }

    fn row(&self) -> Result<Row> {
        let record = json!({
            "v": 1,
            "meta": {
                "id": "0197f0f0-0000-7000-8000-000000000001",
                "at_ms": self.at_ms,
                "workspace_id": "main",
            },
            "payload": self.payload,
        });
        Ok(Row::from_record(record.to_string().as_bytes())?)
    }
}

/// The states of each agent by its name, in their order.
#[derive(Debug, Default)]
pub struct Story {
    states: BTreeMap<String, Vec<Status>>,
    /// The flock at the end.
    pub flock: Flock,
}

impl Story {
    /// Watches recorded events, and for so long after the last.
    pub fn of(events: &[Recorded], after_ms: u64) -> Result<Self> {
        let mut story = Self::default();
        let mut now_ms = events.first().map_or(0, |event| event.at_ms);
        for event in events {
            now_ms = story.wait(now_ms, event.at_ms);
            let changes = story.flock.apply(&event.row()?, event.at_ms);
            story.note(&changes);
        }
        story.wait(now_ms, now_ms + after_ms);
        Ok(story)
    }

    fn wait(&mut self, from_ms: u64, to_ms: u64) -> u64 {
        let mut now_ms = from_ms;
        while now_ms < to_ms {
            now_ms = (now_ms + TICK_MS).min(to_ms);
            let changes = self.flock.tick(now_ms);
            self.note(&changes);
        }
        now_ms
    }

    fn note(&mut self, changes: &[Change]) {
        for change in changes {
            let agent = change.agent();
            let states = self.states.entry(agent.display_name.clone()).or_default();
            if states.last() != Some(&agent.status) {
                states.push(agent.status);
            }
        }
    }

    /// Every agent in a line: its name, and its states.
    pub fn told(&self) -> String {
        let lines = self.states.iter().map(|(name, states)| {
            let states: Vec<&str> = states.iter().map(|state| state.as_str()).collect();
            format!("{name}: {}\n", states.join(" "))
        });
        lines.collect()
    }
}
