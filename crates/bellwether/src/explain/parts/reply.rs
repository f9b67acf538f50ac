//! What the hook's process would leave behind for this version of the client.

use serde_json::{Value, json};

use super::Context;

pub(super) fn explain(context: &Context<'_>) -> Value {
    let rendered = &context.rendered;
    // JSON is shown as JSON, so that secrets in it are found by their names.
    let stdout = rendered
        .stdout
        .as_deref()
        .map(|said| serde_json::from_str(said).unwrap_or_else(|_| Value::from(said)));
    json!({
        "client": context.client.version.to_string(),
        "stdout": stdout,
        "stderr": rendered.stderr,
        "exit": rendered.exit,
    })
}
