//! Payloads: recorded ones, and made ones that carry a marker by which they are found again.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use bellwether_spine::clock;
use serde_json::{Value, json};

/// Every marker begins with this, so that it is found in a record without reading all of it.
const KEY: &str = "\"tool_use_id\":\"mark-";
/// A mebibyte or more in one string would be replaced by its hash.
const STRING: usize = 900_000;

/// A recorded payload in one line, as the client sends it.
pub fn recorded(payloads: &Path, name: &str) -> Result<Vec<u8>> {
    let path = payloads.join(name).with_extension("json");
    let text = std::fs::read(&path).with_context(|| format!("read {}", path.display()))?;
    let value: serde_json::Value = serde_json::from_slice(&text)?;
    Ok(serde_json::to_vec(&value)?)
}

/// All recorded payloads as they are on disk.
pub fn all_recorded(payloads: &Path) -> Result<Vec<Vec<u8>>> {
    let listed = std::fs::read_dir(payloads)
        .with_context(|| format!("list {}", payloads.display()))?
        .collect::<Result<Vec<_>, _>>()?;
    let mut paths: Vec<_> = listed.iter().map(std::fs::DirEntry::path).collect();
    paths.sort();
    let read = paths.iter().map(std::fs::read);
    Ok(read.collect::<Result<_, _>>()?)
}

/// The transcript of a recorded session, with those of its subagents beside it.
pub fn transcript(name: &str) -> Result<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/transcript/fixtures");
    let entries = std::fs::read_dir(folder.join(name)).with_context(|| name.to_owned())?;
    let mut paths = entries.flatten().map(|entry| entry.path());
    paths.find(|path| path.is_file()).context("no transcript")
}

/// Writes a transcript of about so many bytes: prompts, words, commands and files that are read.
pub fn long_transcript(path: &Path, size: u64) -> Result<()> {
    let mut out = std::io::BufWriter::new(std::fs::File::create(path)?);
    let listing: Vec<String> = (1..=400)
        .map(|line| format!("{line:6}\tthe quick brown fox jumps over the lazy dog {line}"))
        .collect();
    let listing = listing.join("\n");
    let (mut written, mut turn) = (0, 0);
    while written < size {
        turn += 1;
        for line in long_turn(turn, &listing) {
            let line = line.to_string() + "\n";
            out.write_all(line.as_bytes())?;
            written += line.len() as u64;
        }
    }
    Ok(out.flush()?)
}

fn long_turn(turn: u64, listing: &str) -> Vec<Value> {
    let at = clock::utc(1_794_771_100_000 + turn * 60_000);
    let line = |kind: &str, id: &str, content: Value, told: Value| {
        json!({
            "type": kind, "sessionId": "long", "cwd": "/p", "timestamp": at, "toolUseResult": told,
            "message": {"id": id, "model": "claude-opus-5-5", "usage": {"input_tokens": 9, "output_tokens": 5}, "content": content},
        })
    };
    let mut lines = vec![line(
        "user",
        "",
        json!(format!("Prompt {turn}")),
        Value::Null,
    )];
    for call in 0..8 {
        let (message, id) = (format!("m{turn}-{call}"), format!("t{turn}-{call}"));
        let words = json!([{"type": "text", "text": "## Step\n\nI read the *file* and `run` it.\n\n- one\n- two"}]);
        lines.push(line("assistant", &message, words, Value::Null));
        let input = match call % 2 {
            0 => json!({"file_path": "/p/src/lib.rs"}),
            _ => json!({"command": "cargo test --workspace", "description": "Run the tests"}),
        };
        let name = if call % 2 == 0 { "Read" } else { "Bash" };
        let used = json!([{"type": "tool_use", "id": id, "name": name, "input": input}]);
        lines.push(line("assistant", &message, used, Value::Null));
        let answer = json!([{"type": "tool_result", "tool_use_id": id, "content": listing}]);
        lines.push(line("user", "", answer, json!({"stdout": listing})));
    }
    lines
}

/// A finished tool call of about `size` bytes.
pub fn tool_call(marker: &str, size: usize) -> Vec<u8> {
    let pieces = size.div_ceil(STRING).max(1);
    let piece = "all work and no play ".repeat(size / pieces / 21);
    json!({
        "session_id": "855cf6ed-e06b-402f-8cd5-e8716e9b9770",
        "transcript_path": "/home/dev/.claude/projects/-home-dev-proj/855cf6ed-e06b-402f-8cd5-e8716e9b9770.jsonl",
        "cwd": "/home/dev/proj",
        "permission_mode": "acceptEdits",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_use_id": format!("mark-{marker}"),
        "tool_input": { "command": "make check", "description": "Run the checks" },
        "tool_response": { "stdout": vec![piece; pieces], "stderr": "", "interrupted": false },
        "duration_ms": 44,
    })
    .to_string()
    .into_bytes()
}

/// The marker in a stored record.
pub fn marker(record: &str) -> Option<&str> {
    let after = &record[record.find(KEY)? + KEY.len()..];
    after.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_is_found_again() {
        let payload = String::from_utf8(tool_call("a-7", 1500)).unwrap();
        assert_eq!(marker(&payload), Some("a-7"));
        assert!((1500..2100).contains(&payload.len()), "{}", payload.len());
        assert_eq!(marker("{}"), None);
    }

    #[test]
    fn a_large_payload_has_no_string_that_is_replaced() {
        let payload = tool_call("b", 4_000_000);
        assert!(payload.len() > 3_900_000);
        let longest = payload.split(|byte| *byte == b'"').map(<[u8]>::len).max();
        assert!(longest < Some(bellwether_spine::journal::STRING_MAX));
    }
}
