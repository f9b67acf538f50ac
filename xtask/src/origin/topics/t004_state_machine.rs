//! Seed 004's states. Where the original had a dead end, ours goes on; each such row has its reason.

use bellwether_flock::EventType;
use bellwether_flock::state::{Cue, Life, Signal, Status, next};
use serde_json::{Value, json};

use super::super::Verdict;
use super::compare;

/// Where the original stood still and ours moves: state, event, why. A star stands for any state.
const MENDED: &[(&str, &str, &str)] = &[
    (
        "*",
        "agent_blocked",
        "the original never showed that an agent waits for the person",
    ),
    (
        "*",
        "task_failed",
        "the original showed a failure only of one that works",
    ),
    (
        "pending_input",
        "tool_succeeded",
        "a dead end: the tool ran, so somebody has answered",
    ),
    (
        "pending_input",
        "agent_started",
        "a dead end: a session that begins anew asks nothing",
    ),
    ("failed", "tool_succeeded", "a dead end: it works again"),
    (
        "completed",
        "agent_started",
        "a dead end: it was started again",
    ),
    (
        "disappearing",
        "agent_started",
        "a dead end: it was started again",
    ),
    ("offline", "agent_stopped", "nobody comes by leaving"),
    (
        "idle",
        "tool_succeeded",
        "the original lost the thoughts that came with it",
    ),
];

pub(super) fn run(case: &Value) -> Verdict {
    let special = case["kind"] == "special";
    let state = if special {
        &case["state"]["status"]
    } else {
        &case["status"]
    };
    let event = if special {
        &case["event"]["event_type"]
    } else {
        &case["event"]
    };
    let expected = if special {
        &case["after"]["status"]
    } else {
        &case["next"]
    };
    let (state, event) = (state.as_str().unwrap_or("?"), event.as_str().unwrap_or("?"));
    let (Some(status), Some(cue)) = (Status::from_name(state), cue(event)) else {
        return compare(expected, &json!("no such state or event"), None);
    };
    let life = life(case, status);
    let after = next(&life, &signal(case, cue), 60_000);
    let moves = !special && case["changed"] == true && expected == state;
    let got = if moves && after.since_ms == life.since_ms {
        json!("the same since before")
    } else {
        json!(after.status.as_str())
    };
    compare(expected, &got, excuse(state, event))
}

fn excuse(state: &str, event: &str) -> Option<&'static str> {
    let fits = |(of, on, _): &&(&str, &str, &str)| (*of == "*" || *of == state) && *on == event;
    MENDED.iter().find(fits).map(|(_, _, why)| *why)
}

fn life(case: &Value, status: Status) -> Life {
    let state = &case["state"];
    let failures = case["consecutive_failures"].as_u64().unwrap_or_default();
    Life {
        behind: state["prev_status"].as_str().and_then(Status::from_name),
        has_task: state["current_task"].is_string(),
        // The original counts the failure at hand.
        failures: u32::try_from(failures.saturating_sub(1)).unwrap_or_default(),
        ..Life::at(status, 0)
    }
}

fn signal(case: &Value, cue: Cue) -> Signal<'_> {
    let event = &case["event"];
    Signal {
        error: event["payload"]["error_message"]
            .as_str()
            .unwrap_or_default(),
        tool: event["payload"]["tool_name"].as_str(),
        thoughts: event["thinking_text"].is_string(),
        ..Signal::bare(cue)
    }
}

fn cue(name: &str) -> Option<Cue> {
    match name {
        "thinking_updated" => Some(Cue::ThinkingUpdated),
        "appear_done" => Some(Cue::AppearDone),
        "startled_done" => Some(Cue::StartledDone),
        "arrive_at_home" => Some(Cue::ArriveAtHome),
        name => EventType::from_name(name).map(Cue::Event),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_passes_fails_or_is_excused() {
        let row = |status: &str, event: &str, next: &str| {
            run(
                &json!({"kind": "matrix", "status": status, "event": event, "next": next, "changed": status != next}),
            )
        };
        assert_eq!(
            row("working", "thinking_updated", "thinking"),
            Verdict::Pass
        );
        assert!(matches!(
            row("working", "thinking_updated", "idle"),
            Verdict::Fail { .. }
        ));
        assert!(matches!(
            row("idle", "agent_blocked", "idle"),
            Verdict::Excused(_)
        ));
        assert!(matches!(
            row("idle", "no_such", "idle"),
            Verdict::Fail { .. }
        ));
    }
}
