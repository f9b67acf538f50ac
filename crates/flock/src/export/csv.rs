//! A table (RFC 4180): one line of names, then one line an event.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;

use crate::NormalizedEvent;

const NAMES: &str = "seq,ts,id,event_type,severity,source,workspace_id,terminal_session_id,\
session_id,agent_id,target_agent_id,task_id,tool_name,duration_ms,exit_code,error_message,payload";

pub(super) fn write(
    out: &mut impl Write,
    events: &[(i64, NormalizedEvent)],
    first: bool,
) -> io::Result<()> {
    if first {
        out.write_all(NAMES.as_bytes())?;
        out.write_all(b"\r\n")?;
    }
    for (seq, event) in events {
        let fields: Vec<String> = fields(*seq, event)
            .iter()
            .map(|field| quoted(field))
            .collect();
        out.write_all(fields.join(",").as_bytes())?;
        out.write_all(b"\r\n")?;
    }
    Ok(())
}

fn fields(seq: i64, event: &NormalizedEvent) -> [String; 17] {
    let payload = |name: &str| match event.payload.get(name) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    let optional = |text: &Option<String>| text.clone().unwrap_or_default();
    [
        seq.to_string(),
        event.ts.clone(),
        event.id.clone(),
        event.event_type.to_string(),
        word(&event.severity),
        word(&event.source),
        event.workspace_id.clone(),
        event.terminal_session_id.clone(),
        optional(&event.session_id),
        event.agent_id.clone(),
        optional(&event.target_agent_id),
        optional(&event.task_id),
        payload("tool_name"),
        payload("duration_ms"),
        payload("exit_code"),
        payload("error_message"),
        event.payload.to_string(),
    ]
}

/// A field as it may stand between commas. What a spreadsheet would take for a formula is made text.
fn quoted(field: &str) -> String {
    let formula =
        field.starts_with(['=', '+', '-', '@', '\t', '\r']) && field.parse::<f64>().is_err();
    let field = if formula {
        format!("'{field}")
    } else {
        field.to_owned()
    };
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field
    }
}

/// A word of a list, as it is serialised.
fn word(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_text_and_numbers_stay() {
        assert_eq!(quoted("=SUM(A1)"), "'=SUM(A1)");
        assert_eq!(quoted("-5"), "-5");
        assert_eq!(quoted("a\"b"), "\"a\"\"b\"");
    }
}
