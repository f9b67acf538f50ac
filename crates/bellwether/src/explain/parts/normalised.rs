//! The normalised event that would be stored, or what is wrong with it. Its id, its time and what was
//! sent are left out.

use bellwether_flock::{Sender, intake, normalise};
use serde_json::{Value, json};

use super::{Context, failed, without_nothing};

pub(super) fn explain(context: &Context<'_>) -> Value {
    let taken = intake(context.text, Sender::Other);
    if let Some(invalid) = taken.invalid {
        return json!({ "event_type": "schema_error", "field": invalid.field, "error": invalid.why });
    }
    let event = match normalise(&taken.row.record) {
        Ok(event) => event.masked(),
        Err(invalid) => return failed(invalid),
    };
    let mut shown = json!(event);
    if let Some(fields) = shown.as_object_mut() {
        for name in ["id", "ts", "raw"] {
            fields.remove(name);
        }
    }
    without_nothing(shown)
}
