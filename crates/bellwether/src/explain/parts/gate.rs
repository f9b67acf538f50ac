//! The commits that a command would make, and which of them would be checked first.

use bellwether_hook::gate;
use serde_json::{Value, json};

use super::Context;

pub(super) fn explain(context: &Context<'_>) -> Value {
    json!({ "commits": gate::seen(context.asked) })
}
