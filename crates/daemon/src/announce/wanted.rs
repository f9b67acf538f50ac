//! Which events the announcer is to hear at all: most are none of its business.

use bellwether_announce::handlers;
use bellwether_flock::Row;
use bellwether_protocol::event::{Kind, ToolKind};

/// Older events are not announced.
pub(super) const TOO_OLD_MS: u64 = 10 * 60 * 1000;

/// The rows that the announcer is to hear. After a question every event counts: one of them may show that it was
/// answered.
pub(super) fn of(rows: Vec<Row>, now_ms: u64) -> Vec<Row> {
    let mut asked = false;
    let wanted = rows.into_iter().filter(|row| {
        asked |= matches!(row.moment, Kind::PermissionRequest | Kind::Elicitation);
        let fresh = now_ms.saturating_sub(row.at_ms) <= TOO_OLD_MS;
        fresh && (asked || is_told(row))
    });
    wanted.collect()
}

fn is_told(row: &Row) -> bool {
    match row.moment {
        Kind::PostToolUse => row.meaning.tool == Some(ToolKind::Question),
        Kind::PreToolUse => row.is_refused(),
        kind => handlers::ALL
            .iter()
            .any(|(_, events)| events.contains(&kind)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, tool: &str, at_ms: u64) -> Row {
        let record = format!(
            r#"{{"v":1,"meta":{{"id":"0197f0f0-0000-7000-8000-000000000001","at_ms":{at_ms}}},"payload":{{"hook_event_name":"{name}","tool_name":"{tool}"}}}}"#
        );
        Row::from_record(record.as_bytes()).unwrap()
    }

    #[test]
    fn tool_calls_count_only_behind_a_question() {
        let rows = vec![
            row("PreToolUse", "Bash", 5),
            row("PostToolUse", "AskUserQuestion", 5),
            row("Stop", "", 5),
            row("PermissionRequest", "Bash", 5),
            row("PostToolUse", "Bash", 5),
        ];
        let names = |rows: Vec<Row>| rows.into_iter().map(|row| row.name).collect::<Vec<_>>();
        assert_eq!(
            names(of(rows, 6)),
            ["PostToolUse", "Stop", "PermissionRequest", "PostToolUse"]
        );
        assert!(of(vec![row("Stop", "", 5)], 6 + TOO_OLD_MS).is_empty());
    }

    #[test]
    fn a_refused_call_counts() {
        let refused = |said: &str| {
            let record = format!(
                r#"{{"v":1,"meta":{{"id":"0197f0f0-0000-7000-8000-000000000001","at_ms":5,"guard":{{"said":"{said}","rules":["delete-home"]}}}},"payload":{{"hook_event_name":"PreToolUse","tool_name":"Bash"}}}}"#
            );
            Row::from_record(record.as_bytes()).unwrap()
        };
        assert_eq!(of(vec![refused("deny")], 6).len(), 1);
        assert!(of(vec![refused("ask")], 6).is_empty(), "its dialog is told");
    }
}
