//! Seed 002's state: markers and the last words, by session and time. Ours lives in the daemon, so
//! cases about its files are run without them.

use std::collections::HashMap;

use bellwether_announce::{Marker, Markers};
use serde_json::Value;

use super::super::Verdict;

const NO_FILES: &str = "the state lives in the daemon: there are no files to name, spoil or clean";

#[derive(Default)]
struct StateRun {
    now_ms: u64,
    sessions: HashMap<String, Markers>,
    files: bool,
}

pub(super) fn run(case: &Value) -> Verdict {
    let mut run = StateRun {
        now_ms: 1_000_000,
        ..StateRun::default()
    };
    for step in case["steps"].as_array().into_iter().flatten() {
        if let Some(got) = run.step(&step["op"])
            && step["result"] != Value::Bool(got)
        {
            return Verdict::Fail {
                expected: step.to_string(),
                got: got.to_string(),
            };
        }
    }
    if run.files {
        Verdict::Excused(NO_FILES)
    } else {
        Verdict::Pass
    }
}

impl StateRun {
    /// Does one step; what it answers, if it asks.
    fn step(&mut self, op: &Value) -> Option<bool> {
        let text = |place: usize| op[place].as_str().unwrap_or_default().to_owned();
        let now_ms = self.now_ms;
        let session = self.sessions.entry(text(1)).or_default();
        match text(0).as_str() {
            "mark" => session.mark(marker(&text(2)), now_ms),
            "was" => return Some(session.has(marker(&text(2)), now_ms)),
            "set_spoken" => session.speak(&text(2), now_ms),
            "was_spoken" => return Some(session.spoke(&text(2), now_ms)),
            "clear" => *session = Markers::default(),
            "advance" => self.now_ms += op[1].as_f64().map_or(0, milliseconds),
            "cleanup" => {}
            _ => self.files = true,
        }
        None
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "cases advance by seconds"
)]
fn milliseconds(seconds: f64) -> u64 {
    (seconds * 1000.0) as u64
}

fn marker(name: &str) -> Marker {
    match name {
        "ask_user" => Marker::AskUser,
        "permission" => Marker::Permission,
        "notification_idle" => Marker::NotificationIdle,
        "subagent_stop" => Marker::SubagentStop,
        _ => Marker::ToolFailure,
    }
}
