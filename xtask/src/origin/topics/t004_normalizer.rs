//! Seed 004's normaliser: what it made of a payload, ours makes too, under the same names.

use bellwether_flock::{EventType, NormalizedEvent, Sender, intake, normalise};
use serde_json::{Value, json};

use super::super::Verdict;
use super::compare;

const REFUSED: &str = "the original refused events of this name, ours takes every event";
const EMPTY: &str = "the original made an id of empty names, ours takes them for missing";

pub(super) fn run(case: &Value) -> Verdict {
    let (input, expected) = (case["input"].to_string(), &case["expected"]);
    let taken = intake(&input, Sender::Other);
    if expected.get("error").is_some() {
        let got = json!({ "error": taken.invalid.as_ref().map(ToString::to_string) });
        return compare(expected, &got, taken.invalid.is_none().then_some(REFUSED));
    }
    match normalise(&taken.row.record) {
        Ok(event) => compare_events(case, &event),
        Err(invalid) => compare(expected, &json!(invalid.to_string()), None),
    }
}

fn compare_events(case: &Value, event: &NormalizedEvent) -> Verdict {
    let got = json!(event);
    let expected = &case["expected"];
    // Every case has an id of its own, and ours too.
    let names = expected.as_object().into_iter().flat_map(|all| all.keys());
    for name in names.filter(|name| *name != "id" && *name != "payload") {
        let empty = case["input"]["team_name"] == "" && name == "agent_id";
        let verdict = compare(&expected[name], &got[name], empty.then_some(EMPTY));
        if verdict != Verdict::Pass {
            return named(verdict, name);
        }
    }
    compare_payloads(&expected["payload"], &got["payload"], event.event_type)
}

/// Ours may say more than the original's, and not less.
fn compare_payloads(expected: &Value, got: &Value, kind: EventType) -> Verdict {
    let names = expected.as_object().into_iter().flat_map(|all| all.keys());
    for name in names {
        let verdict = compare(&expected[name], &got[name], None);
        if verdict != Verdict::Pass {
            return named(verdict, &format!("{kind}'s {name}"));
        }
    }
    Verdict::Pass
}

fn named(verdict: Verdict, name: &str) -> Verdict {
    match verdict {
        Verdict::Fail { expected, got } => Verdict::Fail {
            expected: format!("{name} {expected}"),
            got,
        },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(expected: &Value) -> Value {
        json!({
            "case": "own", "expected": expected,
            "input": {"hook_type": "PostToolUse", "session_id": "s", "team_name": "t", "agent_name": "n",
                "tool_name": "Bash", "error": "broke", "_meta": {"workspace_id": "w"}},
        })
    }

    fn expected() -> Value {
        json!({
            "agent_id": "t/n", "event_type": "tool_failed", "session_id": "s", "severity": "warn", "workspace_id": "w",
            "payload": {"tool_name": "Bash", "error_message": "broke", "exit_code": null},
        })
    }

    #[test]
    fn a_case_that_says_what_we_say_passes() {
        assert_eq!(run(&case(&expected())), Verdict::Pass);
        let refused = json!({"error": "unknown"});
        assert_eq!(run(&case(&refused)), Verdict::Excused(REFUSED));
    }

    #[test]
    fn the_first_difference_is_told() {
        let mut expected = expected();
        expected["payload"]["tool_name"] = json!("Read");
        let failed = Verdict::Fail {
            expected: "tool_failed's tool_name \"Read\"".into(),
            got: "\"Bash\"".into(),
        };
        assert_eq!(run(&case(&expected)), failed);
    }
}
