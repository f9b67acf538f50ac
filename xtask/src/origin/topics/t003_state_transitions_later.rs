//! The transitions of a later version of seed 003's original, held against the phases that are shipped.

use anyhow::Result;
use bellwether_workflow::Outcome;
use serde_json::{Value, json};

use super::super::Verdict;
use super::super::planned::Planned;
use super::{broken, compare};

const FEATURE: &str = "login";
const FULL: &str = "full-auto";
const LATER: &str = "pm and qa came later; they can be phases of one's own";
const LIMIT: &str =
    "after the last round the person decides; the original reported as if the check had passed";
const TROUBLE: &str =
    "a failure is no phase: the feature stays where it is, and the trouble is told";
const RESET: &str = "steps are taken back one by one with `undo`, and stay in the history";
const STALE: &str = "nothing is archived by itself";

pub(super) fn run(case: &Value) -> Verdict {
    judged(case).unwrap_or_else(|error| broken(&error))
}

fn judged(case: &Value) -> Result<Verdict> {
    let flow = Planned::new(&Value::Null)?.flow;
    let [from, to, event] =
        ["from", "to", "event"].map(|key| case[key].as_str().unwrap_or_default());
    if let Some(states) = case["states"].as_array() {
        let known = |name: &str| states.contains(&json!(name));
        let all = flow.phases().iter().all(|phase| known(&phase.name));
        return Ok(compare(&json!(true), &json!(all), None));
    }
    let came_later = |name: &str| ["pm", "qa"].contains(&name);
    Ok(match (from, to) {
        ("*", "error") => Verdict::Excused(TROUBLE),
        ("*", "idle") => Verdict::Excused(RESET),
        ("*", _) => Verdict::Excused(STALE),
        _ if came_later(from) || came_later(to) => Verdict::Excused(LATER),
        ("idle", to) => compare(&json!(to), &json!(flow.first().name), None),
        (from, "archived") => compare(&json!(true), &json!(archived(from)?), None),
        ("check", "report") if event == "REPORT_DONE" => at_the_limit()?,
        (from, to) => compare(&json!(true), &json!(flow.allows(from, to)), None),
    })
}

/// Whether a feature whose last phase ends is finished, and can be archived.
fn archived(from: &str) -> Result<bool> {
    let mut planned = Planned::new(&json!(FULL))?.at(FEATURE, from, None, 0)?;
    let tag = planned.flow.phase(from).map(|phase| phase.tag.clone());
    let done = planned.complete(&format!("[{}] {FEATURE}", tag.unwrap_or_default()));
    let finished = matches!(done, Outcome::Finished { .. });
    Ok(finished && planned.status.take_out(FEATURE, false).is_ok())
}

/// A check that fails when all rounds are used up.
fn at_the_limit() -> Result<Verdict> {
    let mut planned = Planned::new(&json!(FULL))?.at(FEATURE, "check", Some(50.0), 5)?;
    let outcome = planned.complete("[Check] login");
    let asks = matches!(&outcome, Outcome::Waits { waits, .. } if waits.r#for.is_person());
    let got = if asks {
        json!("asks the person")
    } else {
        json!(format!("{outcome:?}"))
    };
    Ok(compare(&json!("report"), &got, asks.then_some(LIMIT)))
}
