//! Seed 000's scripts: the sentences of the plain preset.

use serde_json::{Value, json};

use super::super::Verdict;
use super::compare;
use super::t002_handlers::Stage;

const REAL_FIELD: &str =
    "the script read fields that the client never sends, and said the generic line";
const NUMBER: &str = "a field of the wrong type counts as missing";

pub(super) fn run(case: &Value) -> Verdict {
    let event = match case["script"].as_str().unwrap_or_default() {
        "notification-hook.sh" => "Notification",
        "permission-hook.sh" => "PermissionRequest",
        "subagent-stop-hook.sh" => "SubagentStop",
        "task-completed-hook.sh" => "TaskCompleted",
        _ => "Stop",
    };
    let mut payload = case["stdin"].clone();
    if !payload.is_object() {
        payload = json!({});
    }
    payload["hook_event_name"] = json!(event);
    let said = Stage::plain().hear(&payload, None);
    let got = said.map(|said| {
        let voice = said.voice.clone().unwrap_or_default();
        json!(["-v", voice.name, "-r", voice.rate.to_string(), said.text])
    });
    let excuse = (!payload["task_subject"].is_null())
        .then_some(REAL_FIELD)
        .or_else(|| payload["message"].is_number().then_some(NUMBER));
    compare(&case["say_args"], &json!(got), excuse)
}
