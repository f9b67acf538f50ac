//! Seed 003's pure functions: what a subject says, which phase comes when, what a rate decides.

use anyhow::Result;
use bellwether_workflow::{By, Flow, Measured, speaks_for_redesign, tagged};
use serde_json::{Value, json};

use super::super::Verdict;
use super::super::planned::Planned;
use super::{broken, compare};

const FEATURE: &str = "login";
const NO_PHASE: &str = "there is no such phase, and nothing advances from it: a feature that is over is finished, and archiving takes it out of the status";
const BACK: &str =
    "after act comes check, as the original's own transitions say; its list of phases skipped it";
const TEAM: &str = "who is in a team is the client's to say; bellwether gives idle members the tasks that are there";
const SIZE: &str = "whether work is planned is the person's to say, not the number of its lines";
/// The words of the original's commands, and the phase that each begins.
const TRIGGERS: [(&str, &str); 5] = [
    ("design", "design"),
    ("do", "do"),
    ("analyze", "check"),
    ("iterate", "act"),
    ("report", "report"),
];

pub(super) fn run(case: &Value) -> Verdict {
    judged(case).unwrap_or_else(|error| broken(&error))
}

fn judged(case: &Value) -> Result<Verdict> {
    let expected = &case["expected"];
    let flow = Planned::new(&Value::Null)?.flow;
    Ok(match case["fn"].as_str().unwrap_or_default() {
        "shouldAutoAdvance" => advances(case)?,
        "generateAutoTrigger" => compare(&triggered(expected), &goes_to(case)?, None),
        "detectPdcaFromTaskSubject" => compare(expected, &subject(&case["input"], &flow), None),
        "generatePdcaTaskSubject" => compare(&case["redetected"], &subject(expected, &flow), None),
        "phase" => place(case, &flow),
        "validatePdcaTransition(no docs)" => compare(&expected["valid"], &valid(case)?, None),
        "evaluateCheckResults" => compare(&expected["decision"], &json!(decision(case)), None),
        "createPhaseTransitionNotice" => notice(expected)?,
        "composeTeamForPhase" | "shouldRecomposeTeam" | "TEAM_STRATEGIES" => {
            compare(expected, &Value::Null, Some(TEAM))
        }
        "classifyTaskByLines" => Verdict::Excused(SIZE),
        _ => compare(expected, &json!("no such function"), None),
    })
}

/// Whether the end of a phase leads on by itself.
pub(super) fn advances(case: &Value) -> Result<Verdict> {
    let advances = Planned::new(&case["level"])?.advances(&case["phase"]);
    let excuse = advances.is_none().then_some(NO_PHASE);
    let got = json!(advances.unwrap_or_default());
    Ok(compare(&case["expected"], &got, excuse))
}

fn triggered(expected: &Value) -> Value {
    let word = expected["args"]
        .as_str()
        .and_then(|words| words.split(' ').next());
    let begun = TRIGGERS.iter().find(|(trigger, _)| Some(*trigger) == word);
    json!(begun.map(|(_, phase)| phase))
}

fn goes_to(case: &Value) -> Result<Value> {
    let planned = Planned::new(&case["level"])?;
    let Some(phase) = case["phase"].as_str() else {
        return Ok(Value::Null);
    };
    let mut planned = planned.at(FEATURE, phase, case["matchRate"].as_f64(), 0)?;
    // A feature that is over is taken over as finished.
    Ok(json!(planned.goes_to(FEATURE)))
}

fn subject(text: &Value, flow: &Flow) -> Value {
    let says = tagged(text.as_str().unwrap_or_default(), flow);
    json!(says.map(|says| json!({"phase": says.phase.name, "feature": says.rest})))
}

/// The number of a phase, and its neighbours in the list.
fn place(case: &Value, flow: &Flow) -> Verdict {
    let name = case["input"].as_str().unwrap_or_default();
    let Some((at, phase)) = flow
        .phases()
        .iter()
        .enumerate()
        .find(|(_, phase)| phase.name == name)
    else {
        return Verdict::Excused(NO_PHASE);
    };
    let before = at.checked_sub(1).map(|at| &flow.phases()[at].name);
    let got = json!({"number": at + 1, "next": phase.next.first(), "prev": before});
    let expected = json!({"number": case["number"], "next": case["next"], "prev": case["prev"]});
    compare(&expected, &got, (name == "act").then_some(BACK))
}

/// Whether a step may be taken where every phase must leave a paper behind, and none did.
fn valid(case: &Value) -> Result<Value> {
    let [from, to] = ["from", "to"].map(|key| case[key].as_str().unwrap_or_default());
    let planned = Planned::with_papers(&Value::Null)?.at(FEATURE, from, None, 0)?;
    let mut status = planned.status.clone();
    let set = planned
        .engine()
        .set(&mut status, FEATURE, to, By::Person, "", false);
    Ok(json!(set.is_ok()))
}

fn decision(case: &Value) -> &'static str {
    let rate = case["matchRate"].as_f64();
    match Measured::of(rate, 90.0) {
        Measured::Passed => "report",
        Measured::Failed if rate.is_some_and(speaks_for_redesign) => "redesign",
        Measured::Failed => "iterate",
        Measured::Unmeasured => "measure",
    }
}

/// What the team is told of a step.
fn notice(expected: &Value) -> Result<Verdict> {
    let mut planned = Planned::new(&json!("full-auto"))?.at(FEATURE, "plan", None, 0)?;
    planned.complete("[Plan] login");
    let told = planned.status.messages.last();
    let says = |word: &str| told.is_some_and(|told| told.text.contains(word));
    let got = json!([
        told.map(|told| &told.to),
        says("plan → design"),
        says(FEATURE)
    ]);
    Ok(compare(&json!([expected["to"], true, true]), &got, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_passes_fails_or_is_excused() {
        let row = |name: &str, more: Value| {
            let mut row = more;
            row["fn"] = json!(name);
            run(&row)
        };
        let level = |phase: &str, expected: bool| json!({"level": "full-auto", "phase": phase, "expected": expected});
        assert_eq!(row("shouldAutoAdvance", level("plan", true)), Verdict::Pass);
        assert_eq!(
            row("shouldAutoAdvance", level("archived", true)),
            Verdict::Excused(NO_PHASE)
        );
        assert!(matches!(
            row("shouldAutoAdvance", level("plan", false)),
            Verdict::Fail { .. }
        ));
        assert!(matches!(
            row("no such", json!({"expected": 1})),
            Verdict::Fail { .. }
        ));
        let step =
            |from: &str, to: &str| json!({"from": from, "to": to, "expected": {"valid": false}});
        let name = "validatePdcaTransition(no docs)";
        assert_eq!(row(name, step("plan", "design")), Verdict::Pass);
    }
}
