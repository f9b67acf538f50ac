//! What the guard makes of a tool call: what it understood, what the rules say, what is allowed.

use bellwether_hook::guard::config::SECTION;
use bellwether_hook::handlers::guard::Case;
use serde_json::{Value, json};

use super::Context;
use crate::guard::{analysis, consents};

pub(super) fn explain(context: &Context<'_>) -> Value {
    let config: bellwether_hook::guard::Config = context.asked.settings.section(SECTION);
    let Some(case) = Case::of(context.asked) else {
        return json!({ "judges": false });
    };
    let judged = case.judge(&config);
    let found = judged.judgement.clone();
    let left = case.pardoned(judged.judgement, &config);
    let analysis = judged.analysis.as_ref();
    json!({
        "judges": config.enabled,
        "mode": config.mode,
        "verdict": left.verdict,
        "findings": found.findings,
        "allowed": found.findings.len() - left.findings.len(),
        "after_a_yes": consents::json(&case, &left, analysis, &config),
        "analysis": analysis.map(analysis::json),
    })
}
