//! The event as the rest of the program understands it. What is not said is left out.

use serde_json::Value;

use super::{Context, failed, without_nothing};

pub(super) fn explain(context: &Context<'_>) -> Value {
    let mut event = match serde_json::to_value(context.event) {
        Ok(event) => without_nothing(event),
        Err(error) => return failed(error),
    };
    for part in ["agent", "tool", "task", "model"] {
        if let Some(value) = event.get_mut(part) {
            *value = without_nothing(value.take());
        }
    }
    if let Some(Value::Array(calls)) = event.get_mut("calls") {
        let told = calls.drain(..).map(without_nothing).collect();
        *calls = told;
    }
    event
}
