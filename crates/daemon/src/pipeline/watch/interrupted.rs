//! Whether a turn was interrupted: the client sends no event for that, and writes it down.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use bellwether_spine::clock;
use bellwether_transcript::Projects;
use serde::Deserialize;
use serde_json::value::RawValue;

/// The end of a transcript that is looked at.
const END: u64 = 64 * 1024;
/// What the client writes as if the person had said it.
const WORDS: &str = "[Request interrupted by user";
/// What was written this much before the last event came may still be about it.
const SLACK_MS: u64 = 2_000;

/// A line of a transcript, as far as it matters here.
#[derive(Deserialize)]
struct InterruptLine<'a> {
    #[serde(rename = "type")]
    kind: Option<&'a str>,
    timestamp: Option<&'a str>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
}

/// Whether the last thing said in a transcript is that the person interrupted, after a moment.
pub(super) fn since(projects: &Projects, path: &Path, moment_ms: u64) -> bool {
    let end = projects.open(path).ok().and_then(|file| end_of(file).ok());
    end.is_some_and(|end| says_so(&String::from_utf8_lossy(&end), moment_ms))
}

fn end_of(mut file: File) -> std::io::Result<Vec<u8>> {
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(END)))?;
    let mut end = Vec::new();
    file.take(END).read_to_end(&mut end)?;
    Ok(end)
}

fn says_so(end: &str, moment_ms: u64) -> bool {
    let said = end.lines().rev().find_map(|line| {
        let line: InterruptLine<'_> = serde_json::from_str(line).ok()?;
        matches!(line.kind, Some("user" | "assistant")).then_some(line)
    });
    let Some(line) = said else { return false };
    let at_ms = line.timestamp.and_then(clock::parse_utc);
    let late_enough = at_ms.is_none_or(|at| at + SLACK_MS >= moment_ms);
    let interrupted = line
        .message
        .is_some_and(|message| message.get().contains(WORDS));
    line.kind == Some("user") && interrupted && late_enough
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(kind: &str, at: &str, text: &str) -> String {
        format!(
            r#"{{"type":"{kind}","timestamp":"{at}","message":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#
        )
    }

    #[test]
    fn the_last_thing_said_counts() {
        let at = "2026-02-20T15:00:00.000Z";
        let moment = clock::parse_utc(at).unwrap();
        let interrupted = line("user", at, "[Request interrupted by user for tool use]");
        let other = r#"{"type":"file-history-snapshot"}"#;
        let cases = [
            (format!("{interrupted}\n{other}\n"), moment, true),
            (format!("half a line\n{interrupted}"), moment + 1_000, true),
            (interrupted.clone(), moment + 60_000, false),
            (
                format!("{interrupted}\n{}", line("assistant", at, "On it.")),
                moment,
                false,
            ),
            (line("assistant", at, WORDS), moment, false),
            (String::new(), 0, false),
        ];
        for (end, moment, wanted) in cases {
            assert_eq!(says_so(&end, moment), wanted, "{end}");
        }
    }
}
