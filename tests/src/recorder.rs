//! The recorder: a hook that writes down what it was given, prints nothing and never objects.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::jsonl;

/// The variables the client sets for its hooks and that are worth keeping: others hold tokens.
pub const KEPT_VARIABLES: [&str; 11] = [
    "AI_AGENT",
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SESSION_ATTENDED",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_EFFORT",
    "CLAUDE_ENV_FILE",
    "CLAUDE_PID",
    "CLAUDE_PLUGIN_DATA",
    "CLAUDE_PLUGIN_ROOT",
    "CLAUDE_PROJECT_DIR",
];

/// One call of the recorder.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// When the hook started, in microseconds since 1970.
    pub at_us: u64,
    pub pid: u32,
    /// The process that started it.
    pub ppid: u32,
    /// Those of [`KEPT_VARIABLES`] that were set.
    pub env: BTreeMap<String, String>,
    /// What stood on stdin; a string if that was not JSON.
    pub payload: Value,
    /// The last lines of the conversation in the transcript at that moment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transcript: Vec<String>,
}

impl Record {
    pub fn event(&self) -> &str {
        self.text("hook_event_name")
    }

    /// A field of the payload as text; empty if there is none.
    pub fn text(&self, field: &str) -> &str {
        self.payload[field].as_str().unwrap_or_default()
    }
}

/// The hook itself: appends one line to `log`.
pub fn record(log: &Path) -> Result<()> {
    let at = SystemTime::now().duration_since(UNIX_EPOCH)?;
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input)?;
    let payload = serde_json::from_slice(&input)
        .unwrap_or_else(|_| Value::from(String::from_utf8_lossy(&input).into_owned()));
    let record = Record {
        at_us: u64::try_from(at.as_micros())?,
        pid: std::process::id(),
        ppid: std::os::unix::process::parent_id(),
        env: KEPT_VARIABLES
            .iter()
            .filter_map(|name| Some((name.to_string(), std::env::var(name).ok()?)))
            .collect(),
        transcript: conversation(payload["transcript_path"].as_str().unwrap_or_default()),
        payload,
    };
    jsonl::append(log, &record)
}

/// The last lines of a transcript that are of the conversation.
fn conversation(path: &str) -> Vec<String> {
    const KEPT: usize = 6;
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let said = |line: &&str| {
        let line: Value = serde_json::from_str(line).unwrap_or_default();
        line["type"] == "assistant" || line["type"] == "user"
    };
    let mut last: Vec<String> = text
        .lines()
        .rev()
        .filter(said)
        .take(KEPT)
        .map(str::to_owned)
        .collect();
    last.reverse();
    last
}
