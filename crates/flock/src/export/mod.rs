//! Events for other programs. Whatever leaves here is masked.

mod csv;
mod jsonl;
mod otlp;

use std::io::{self, Write};

use crate::normal::normalise_or_say;
use crate::{NormalizedEvent, Stored};

/// So many events make a piece, in forms where several stand together.
const PIECE: usize = 500;

/// A form in which events leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One normalised event a line.
    Jsonl,
    /// A table with a line of names.
    Csv,
    /// OpenTelemetry's logs as JSON: one request a line, as its collector reads from files.
    Otlp,
}

/// Writes events in one form.
pub struct Export<W> {
    out: W,
    format: Format,
    piece: Vec<(i64, NormalizedEvent)>,
    begun: bool,
}

impl<W: Write> Export<W> {
    pub fn new(out: W, format: Format) -> Self {
        Self {
            out,
            format,
            piece: Vec::new(),
            begun: false,
        }
    }

    /// One more event, as it was recorded.
    pub fn write(&mut self, stored: &Stored) -> io::Result<()> {
        let event = normalise_or_say(&stored.record).masked();
        self.piece.push((stored.seq, event));
        if self.piece.len() >= PIECE {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes what is left, and gives back where it was written to.
    pub fn finish(mut self) -> io::Result<W> {
        self.flush()?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn flush(&mut self) -> io::Result<()> {
        let piece = std::mem::take(&mut self.piece);
        let first = !std::mem::replace(&mut self.begun, true);
        match self.format {
            Format::Jsonl => jsonl::write(&mut self.out, &piece),
            Format::Csv => csv::write(&mut self.out, &piece, first),
            Format::Otlp => otlp::write(&mut self.out, &piece),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exported(format: Format) -> String {
        let record = |payload: &str| {
            format!(
                r#"{{"v":1,"meta":{{"id":"0197f0f0-0000-7000-8000-000000000001","at_ms":1771599600123,"workspace_id":"shop"}},"payload":{payload}}}"#
            )
        };
        let payloads = [
            r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_use_id":"t1","tool_input":{"command":"curl -H 'Authorization: Bearer abcdefghijk' \"a,b\""}}"#,
            r#"{"hook_event_name":"PostToolUseFailure","session_id":"s","tool_name":"Bash","tool_use_id":"t1","error":"Exit code 3\nno","duration_ms":7}"#,
            r#"{"hook_event_name":"","session_id":"s"}"#,
        ];
        let mut export = Export::new(Vec::new(), format);
        for (seq, payload) in (1..).zip(payloads) {
            let record = record(payload);
            export.write(&Stored { seq, record }).unwrap();
        }
        String::from_utf8(export.finish().unwrap()).unwrap()
    }

    #[test]
    fn nothing_secret_leaves_in_any_form() {
        for format in [Format::Jsonl, Format::Csv, Format::Otlp] {
            let text = exported(format);
            assert!(!text.contains("abcdefghijk"), "{text}");
            assert!(text.contains("[masked]"), "{text}");
        }
    }

    #[test]
    fn a_line_is_an_event() {
        let text = exported(Format::Jsonl);
        let lines: Vec<serde_json::Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let types: Vec<_> = lines.iter().map(|line| &line["event_type"]).collect();
        assert_eq!(types, ["tool_started", "tool_failed", "schema_error"]);
        assert_eq!(lines[1]["payload"]["exit_code"], 3);
        assert_eq!(lines[2]["payload"]["field"], "hook_event_name");
    }

    #[test]
    fn a_table_has_one_line_of_names_and_quotes_what_needs_it() {
        let text = exported(Format::Csv);
        let mut lines = text.lines();
        assert!(lines.next().unwrap().starts_with("seq,ts,id,event_type,"));
        let first = lines.next().unwrap();
        assert!(
            first.starts_with("1,2026-02-20T15:00:00.123Z,0197f0f0"),
            "{first}"
        );
        assert!(first.contains(r#"\""a,b\""""#), "{first}");
    }

    #[test]
    fn a_collector_finds_what_it_expects() {
        let text = exported(Format::Otlp);
        assert_eq!(text.lines().count(), 1);
        let request: serde_json::Value = serde_json::from_str(&text).unwrap();
        let logs = &request["resourceLogs"][0]["scopeLogs"][0]["logRecords"];
        assert_eq!(logs.as_array().unwrap().len(), 3);
        assert_eq!(logs[0]["timeUnixNano"], "1771599600123000000");
        assert_eq!(logs[1]["severityNumber"], 13);
        assert_eq!(logs[0]["traceId"], logs[1]["traceId"]);
        assert_eq!(logs[0]["spanId"], logs[1]["spanId"]);
        assert_eq!(logs[0]["traceId"].as_str().unwrap().len(), 32);
        assert_eq!(logs[0]["spanId"].as_str().unwrap().len(), 16);
    }
}
