//! OpenTelemetry logs as JSON (OTLP/JSON): a session is a trace, and what belongs to one tool call
//! shares a span.

use std::io::{self, Write};

use bellwether_spine::VERSION;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::normal::moment;
use crate::{NormalizedEvent, Severity};

pub(super) fn write(out: &mut impl Write, events: &[(i64, NormalizedEvent)]) -> io::Result<()> {
    if events.is_empty() {
        return Ok(());
    }
    let records: Vec<Value> = events
        .iter()
        .map(|(seq, event)| record(*seq, event))
        .collect();
    let request = json!({ "resourceLogs": [{
        "resource": { "attributes": [text("service.name", "bellwether")] },
        "scopeLogs": [{
            "scope": { "name": "bellwether.flock", "version": VERSION },
            "logRecords": records,
        }],
    }]});
    serde_json::to_writer(&mut *out, &request)?;
    out.write_all(b"\n")
}

fn record(seq: i64, event: &NormalizedEvent) -> Value {
    let nanos = moment::parse(&event.ts).unwrap_or_default() * 1_000_000;
    let (number, name) = severity(event.severity);
    let session = event.session_id.as_deref().unwrap_or(&event.agent_id);
    let span = event.payload.get("tool_use_id").and_then(Value::as_str);
    let span = span.or(event.run_id.as_deref()).unwrap_or(&event.id);
    json!({
        "timeUnixNano": nanos.to_string(),
        "observedTimeUnixNano": nanos.to_string(),
        "severityNumber": number,
        "severityText": name,
        "eventName": format!("bellwether.{}", event.event_type),
        "body": { "stringValue": event.payload.to_string() },
        "attributes": attributes(seq, event),
        "traceId": hash(session, 16),
        "spanId": hash(span, 8),
    })
}

fn attributes(seq: i64, event: &NormalizedEvent) -> Vec<Value> {
    let payload = |name: &str| event.payload.get(name).and_then(Value::as_str);
    let texts = [
        ("event.id", Some(event.id.as_str())),
        ("event.type", Some(event.event_type.as_str())),
        ("workspace.id", Some(&event.workspace_id)),
        ("terminal.session.id", Some(&event.terminal_session_id)),
        ("session.id", event.session_id.as_deref()),
        ("gen_ai.agent.id", Some(&event.agent_id)),
        ("task.id", event.task_id.as_deref()),
        ("gen_ai.tool.name", payload("tool_name")),
        ("gen_ai.tool.call.id", payload("tool_use_id")),
        ("error.message", payload("error_message")),
    ];
    let numbers = [
        ("event.seq", Some(seq)),
        ("duration_ms", event.payload["duration_ms"].as_i64()),
        ("process.exit.code", event.payload["exit_code"].as_i64()),
    ];
    let texts = texts
        .into_iter()
        .filter_map(|(key, value)| Some(text(key, value?)));
    // OTLP/JSON writes whole numbers as strings.
    let numbers = numbers.into_iter().filter_map(|(key, value)| {
        Some(json!({ "key": key, "value": { "intValue": value?.to_string() } }))
    });
    texts.chain(numbers).collect()
}

fn text(key: &str, value: &str) -> Value {
    json!({ "key": key, "value": { "stringValue": value } })
}

fn severity(severity: Severity) -> (u8, &'static str) {
    match severity {
        Severity::Debug => (5, "DEBUG"),
        Severity::Info => (9, "INFO"),
        Severity::Warn => (13, "WARN"),
        Severity::Error => (17, "ERROR"),
    }
}

/// So many bytes of a hash, in hexadecimal.
fn hash(of: &str, bytes: usize) -> String {
    use std::fmt::Write as _;
    let hash = Sha256::digest(of.as_bytes());
    hash.iter()
        .take(bytes)
        .fold(String::new(), |mut hex, byte| {
            // Writing to a string cannot fail.
            let _ = write!(hex, "{byte:02x}");
            hex
        })
}
