//! What a later version of seed 003's original did by itself, and how it took a match rate.

use anyhow::Result;
use bellwether_workflow::{Measured, tagged};
use serde_json::{Value, json};

use super::super::Verdict;
use super::super::planned::Planned;
use super::t003_pure::advances;
use super::{broken, compare};

const FEATURE: &str = "login";
const LATER: &str = "pm and qa came later; they can be phases of one's own";
const SEMI: &str = "the later version's semi-auto plans and reports by itself; ours is the seed's: only what a match rate decides";

pub(super) fn run(case: &Value) -> Verdict {
    let verdict = match case["fn"].as_str().unwrap_or_default() {
        "shouldAutoAdvance" => advanced(case),
        "determinePdcaTransition" => transition(case),
        "match_rate.classify" => Ok(compare(&case["expected"], &json!(measured(case)), None)),
        _ => Ok(compare(&case["expected"], &json!("no such function"), None)),
    };
    verdict.unwrap_or_else(|error| broken(&error))
}

fn advanced(case: &Value) -> Result<Verdict> {
    let phase = case["phase"].as_str().unwrap_or_default();
    let excuse = match case["level"].as_str() {
        _ if ["pm", "qa"].contains(&phase) => Some(LATER),
        Some("semi-auto") if ["plan", "report"].contains(&phase) => Some(SEMI),
        _ => None,
    };
    Ok(match (advances(case)?, excuse) {
        (Verdict::Fail { .. } | Verdict::Excused(_), Some(reason)) => Verdict::Excused(reason),
        (verdict, _) => verdict,
    })
}

/// Where a feature goes from a phase, and that the task which is to be made belongs there.
fn transition(case: &Value) -> Result<Verdict> {
    let phase = case["phase"].as_str().unwrap_or_default();
    let planned = Planned::new(&json!("full-auto"))?;
    let mut planned = planned.at(FEATURE, phase, case["matchRate"].as_f64(), 0)?;
    let next = planned.goes_to(FEATURE).unwrap_or_else(|| phase.to_owned());
    let template = case["expected"]["taskTemplate"]
        .as_str()
        .unwrap_or_default();
    let subject = template.replace("{feature}", FEATURE);
    let task = tagged(&subject, &planned.flow).map(|says| says.phase.name.as_str());
    let expected = &case["expected"]["next"];
    Ok(compare(
        &json!([expected, expected]),
        &json!([next, task]),
        None,
    ))
}

fn measured(case: &Value) -> &'static str {
    let rate = case["input"].as_str().and_then(|text| text.parse().ok());
    match Measured::of(rate, 90.0) {
        Measured::Passed => "pass",
        Measured::Failed => "fail",
        Measured::Unmeasured => "unmeasured",
    }
}
