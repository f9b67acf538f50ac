//! What the guard makes of a tool call: what it understood, what the rules say, what is allowed.

use bellwether_hook::guard::config::SECTION;
use bellwether_hook::handlers::guard::Case;
use serde_json::{Value, json};

use super::Context;
use crate::guard::analysis;

pub(super) fn explain(context: &Context<'_>) -> Value {
    let config: bellwether_hook::guard::Config = context.asked.settings.section(SECTION);
    let Some(case) = Case::of(context.asked) else {
        return json!({ "judges": false });
    };
    let judged = case.judge(&config);
    let found = judged.judgement.clone();
    let left = case.pardoned(judged.judgement, &config);
    json!({
        "judges": config.enabled,
        "mode": config.mode,
        "verdict": left.verdict,
        "findings": found.findings,
        "allowed": found.findings.len() - left.findings.len(),
        "analysis": judged.analysis.as_ref().map(analysis::json),
    })
}
