//! What came of the checks, as an event of our own in the journal: the flock, the page and `events` show it. Checks that take
//! long are told while they run.

use std::time::Instant;

use bellwether_spine::journal::{self, Keep};
use bellwether_spine::meta::{COMMIT_CHECKED, GATE};
use bellwether_spine::{SpineError, wake};
use serde_json::{Value, json};

use super::said::Checked;
use crate::handlers::Context;
use crate::{own, project_of};

/// Puts what came of it into the journal.
pub(super) fn keep(context: Context<'_>, checked: &Checked) -> Result<(), SpineError> {
    let steps = checked.steps.iter();
    let steps: Vec<Value> = steps
        .map(|step| json!({ "name": step.name, "state": step.state, "seconds": step.seconds }))
        .collect();
    let (level, keep) = if checked.is_refused() {
        ("warn", Keep::Always)
    } else {
        ("info", Keep::IfRoom)
    };
    let told = json!({
        "message": checked.line(),
        "level": level,
        "outcome": checked.outcome(),
        "seconds": checked.seconds,
        "steps": steps,
    });
    append(context, told, keep)
}

/// Says that checks are running, to whoever wonders why the agent does nothing.
pub(super) fn tell_running(context: Context<'_>, end: Instant) -> Result<(), SpineError> {
    let left = end.saturating_duration_since(Instant::now()).as_secs();
    let told = json!({
        "message": format!("gate: checking this commit, at most {left} s more"),
        "level": "info",
        "outcome": "running",
    });
    append(context, told, Keep::IfRoom)
}

/// Puts an event into the journal, and tells the daemon.
fn append(context: Context<'_>, told: Value, keep: Keep) -> Result<(), SpineError> {
    let Context {
        event,
        home,
        client,
        ..
    } = context;
    let payload = payload(context, told).to_string();
    let project = project_of(event, client);
    let record = own::record(event, client, project.as_deref(), GATE, &payload)?;
    journal::append(home, &record, keep)?;
    wake::send(home);
    Ok(())
}

/// What is told, with whom and what it is about.
fn payload(context: Context<'_>, told: Value) -> Value {
    let event = context.event;
    let agent = event.agent.as_ref();
    let tool = event.tool.as_ref();
    let mut payload = json!({
        "hook_event_name": COMMIT_CHECKED,
        "session_id": event.session,
        "agent_id": agent.and_then(|agent| agent.id.as_deref()),
        "agent_type": agent.and_then(|agent| agent.kind.as_deref()),
        "cwd": event.cwd,
        "prompt_id": event.prompt_id,
        "tool_name": tool.map(|tool| &tool.name),
        "tool_use_id": tool.and_then(|tool| tool.use_id.as_deref()),
        "_meta": { "source": "synthetic" },
    });
    if let (Value::Object(payload), Value::Object(told)) = (&mut payload, told) {
        payload.extend(told);
    }
    payload
}
