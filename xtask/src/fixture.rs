//! Payloads: recorded ones, and made ones that carry a marker by which they are found again.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::json;

/// Every marker begins with this, so that it is found in a record without reading all of it.
const KEY: &str = "\"tool_use_id\":\"mark-";
/// A mebibyte or more in one string would be replaced by its hash.
const STRING: usize = 900_000;

/// A recorded payload in one line, as the client sends it.
pub(crate) fn recorded(payloads: &Path, name: &str) -> Result<Vec<u8>> {
    let path = payloads.join(name).with_extension("json");
    let text = std::fs::read(&path).with_context(|| format!("read {}", path.display()))?;
    let value: serde_json::Value = serde_json::from_slice(&text)?;
    Ok(serde_json::to_vec(&value)?)
}

/// All recorded payloads as they are on disk.
pub(crate) fn all_recorded(payloads: &Path) -> Result<Vec<Vec<u8>>> {
    let listed = std::fs::read_dir(payloads)
        .with_context(|| format!("list {}", payloads.display()))?
        .collect::<Result<Vec<_>, _>>()?;
    let mut paths: Vec<_> = listed.iter().map(std::fs::DirEntry::path).collect();
    paths.sort();
    let read = paths.iter().map(std::fs::read);
    Ok(read.collect::<Result<_, _>>()?)
}

/// A finished tool call of about `size` bytes.
pub(crate) fn tool_call(marker: &str, size: usize) -> Vec<u8> {
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
pub(crate) fn marker(record: &str) -> Option<&str> {
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
