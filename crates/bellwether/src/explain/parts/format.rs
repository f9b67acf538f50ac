//! Which formatters a file that was changed would be given to, or why it would stay as it is.

use bellwether_hook::format::{self, ChosenBy, Step, Way};
use serde_json::{Value, json};

use super::Context;

pub(super) fn explain(context: &Context<'_>) -> Value {
    let plan = match format::plan(context.asked) {
        Ok(plan) => plan,
        Err(why) => return json!({ "formats": false, "because": why.to_string() }),
    };
    json!({
        "formats": !plan.steps.is_empty(),
        "file": plan.target.shown(),
        "steps": plan.steps.iter().map(step).collect::<Vec<_>>(),
        "missing": plan.missing,
        "timeout_s": plan.timeout_s,
    })
}

fn step(step: &Step) -> Value {
    let words: Vec<_> = step
        .words
        .iter()
        .map(|word| word.to_string_lossy())
        .collect();
    json!({
        "name": step.name,
        "chosen_by": match step.chosen_by {
            ChosenBy::Project => "project",
            ChosenBy::Person => "person",
        },
        "program": step.program.display().to_string(),
        "words": words,
        "folder": step.folder.display().to_string(),
        "in_place": step.way == Way::InPlace,
    })
}
