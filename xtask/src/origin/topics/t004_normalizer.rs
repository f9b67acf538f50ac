//! Seed 004's normaliser, as far as the protocol goes: what its normalised event speaks of must be
//! found in ours, whichever of the old names it was sent under.

use std::borrow::Cow;

use bellwether_protocol::claude;
use bellwether_protocol::event::{Agent, Event, Kind, Tool};
use serde_json::{Value, json};

use super::super::Verdict;

const REFUSED: &str = "the original refused events of this name, ours takes every event";

/// One thing that is compared: its name, what the case says, what we say.
type Pair = (&'static str, Value, Value);

pub(super) fn run(case: &Value) -> Verdict {
    let (input, expected) = (case["input"].to_string(), &case["expected"]);
    let event = match claude::parse(&input) {
        Ok(event) => event,
        Err(error) => return fail("event", &json!("an event"), &json!(error.to_string())),
    };
    let (kind, is_known) = (event.kind, event.kind != Kind::Other);
    if expected.get("error").is_some() {
        return if is_known {
            Verdict::Excused(REFUSED)
        } else {
            Verdict::Pass
        };
    }
    let pairs = whole(&event, expected)
        .into_iter()
        .chain(of_payload(&event, &expected["payload"]))
        .chain([type_of(kind, event.tool.as_ref(), expected)]);
    pairs
        .into_iter()
        .find(|(_, expected, got)| expected != got)
        .map_or(Verdict::Pass, |(name, expected, got)| {
            fail(name, &expected, &got)
        })
}

fn fail(name: &str, expected: &Value, got: &Value) -> Verdict {
    Verdict::Fail {
        expected: format!("{name} {expected}"),
        got: got.to_string(),
    }
}

/// What every normalised event has.
fn whole(event: &Event<'_>, expected: &Value) -> Vec<Pair> {
    let meta: Value = event
        .meta
        .and_then(|meta| serde_json::from_str(meta.get()).ok())
        .unwrap_or_default();
    let pair = |name: &'static str, got: Value| (name, expected[name].clone(), got);
    vec![
        pair("session_id", json!(event.session)),
        pair("thinking_text", json!(event.thinking)),
        pair("workspace_id", meta["workspace_id"].clone()),
        pair("terminal_session_id", meta["terminal_session_id"].clone()),
        pair("ts", meta["collected_at"].clone()),
        pair("agent_id", json!(agent_id(event))),
        pair("task_id", task_id(event)),
        pair("severity", json!(severity(event))),
    ]
}

/// What the payload of the normalised event has; only what is there is compared.
fn of_payload(event: &Event<'_>, expected: &Value) -> Vec<Pair> {
    let text = |text: &Option<Cow<'_, str>>| json!(text.as_deref().unwrap_or_default());
    let tool = event.tool.clone().unwrap_or_default();
    let agent = event.agent.clone().unwrap_or_default();
    let error = tool.error.as_deref().unwrap_or("unknown error");
    [
        ("tool_name", json!(tool.name)),
        ("tool_input", input(&tool)),
        ("agent_type", text(&agent.kind)),
        (
            "prompt_preview",
            preview(event, &expected["prompt_preview"]),
        ),
        ("message", text(&event.message)),
        ("summary", text(&event.message)),
        ("reason", text(&event.detail)),
        ("error_message", json!(error)),
        ("exit_code", json!(tool.exit_code)),
    ]
    .into_iter()
    .filter_map(|(name, got)| Some((name, expected.get(name)?.clone(), got)))
    .collect()
}

/// Which of our events a normalised type stands for.
fn type_of(kind: Kind, tool: Option<&Tool<'_>>, expected: &Value) -> Pair {
    let failed = tool.is_some_and(|tool| tool.failed);
    let got = match (kind, failed) {
        (Kind::PostToolUse, true) => "tool_failed",
        (Kind::PostToolUse, false) => "tool_succeeded",
        (Kind::SubagentStart, _) => "agent_started",
        (Kind::Stop, _) => "agent_stopped",
        (Kind::Notification, _) => "notification",
        (Kind::PreToolUse, _) => match tool.map_or("", |tool| &tool.name) {
            "TaskCreate" => "task_created",
            "TaskUpdate" => task_type(tool),
            _ => "tool_started",
        },
        _ => "(none)",
    };
    ("event_type", expected["event_type"].clone(), json!(got))
}

fn task_type(tool: Option<&Tool<'_>>) -> &'static str {
    let status = tool.map(input).map(|input| input["status"].clone());
    match status.as_ref().and_then(Value::as_str) {
        Some("completed") => "task_completed",
        Some("in_progress") => "task_started",
        _ => "task_progress",
    }
}

/// How the original called an agent.
fn agent_id(event: &Event<'_>) -> String {
    let Agent { name, team, .. } = event.agent.clone().unwrap_or_default();
    match (team, name, event.session.as_deref()) {
        (Some(team), Some(name), _) => format!("{team}/{name}"),
        (Some(team), None, _) => format!("{team}/leader"),
        (None, Some(name), _) => name.into_owned(),
        (None, None, session) => session.unwrap_or("unknown").to_owned(),
    }
}

fn task_id(event: &Event<'_>) -> Value {
    match &event.tool {
        Some(tool) if event.kind == Kind::PreToolUse && tool.name == "TaskUpdate" => {
            input(tool)["taskId"].clone()
        }
        _ => Value::Null,
    }
}

fn severity(event: &Event<'_>) -> &'static str {
    let failed = event.tool.as_ref().is_some_and(|tool| tool.failed);
    match event.level.as_deref() {
        Some("error") => "error",
        _ if failed => "warn",
        _ => "info",
    }
}

/// What a tool is called with; nothing counts as an empty object.
fn input(tool: &Tool<'_>) -> Value {
    tool.input
        .and_then(|input| serde_json::from_str(input.get()).ok())
        .unwrap_or_else(|| json!({}))
}

/// The original kept the beginning of a prompt: as much of ours as the case has.
fn preview(event: &Event<'_>, expected: &Value) -> Value {
    let kept = expected.as_str().map_or(0, |text| text.chars().count());
    let message = event.message.as_deref().unwrap_or_default();
    json!(message.chars().take(kept).collect::<String>())
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
            expected: "tool_name \"Read\"".into(),
            got: "\"Bash\"".into(),
        };
        assert_eq!(run(&case(&expected)), failed);
    }
}
