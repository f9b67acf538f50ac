//! What the model and the person are told of an outcome: one line each, quoted and bounded.

use crate::engine::{Engine, Outcome};
use crate::flow::{Phase, capitalised};
use crate::papers::Reading;
use crate::rate::speaks_for_redesign;
use crate::status::{Status, Waits, WaitsFor};
use crate::tasks::TaskState;

/// The model is told no more than this, in characters; the limit is 500.
const LONGEST: usize = 480;
/// Of a feature's name so much is shown.
const NAME: usize = 80;

/// What is told of an outcome.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// To the model.
    pub context: Option<String>,
    /// To the person.
    pub message: Option<String>,
}

/// What is told when a task of a session was completed.
pub fn told(engine: &Engine<'_>, status: &Status, session: &str, outcome: &Outcome) -> Told {
    let context = match outcome {
        Outcome::Nothing | Outcome::Begun { .. } => return Told::default(),
        Outcome::Moved { feature, from, to } => format!(
            "{} of {} is done. Next: {to}. {}{}",
            capitalised(from),
            quoted(feature),
            take_up(engine, status, session, feature, to),
            redesign(engine, status, feature, from)
        ),
        Outcome::Finished { feature, phase } => format!(
            "{} of {} is done, and with it the whole feature. Nothing is left to do for it.",
            capitalised(phase),
            quoted(feature)
        ),
        Outcome::Waits {
            feature,
            phase,
            waits,
        } => format!(
            "{} of {} is done. {}",
            capitalised(phase),
            quoted(feature),
            waiting(engine, feature, waits)
        ),
        Outcome::Partly {
            feature,
            phase,
            open,
        } => format!(
            "{open} more of the tasks for {phase} of {} are open.",
            quoted(feature)
        ),
        Outcome::Disagrees {
            feature,
            phase,
            task,
        } => disagrees(engine, status, feature, phase, task),
        Outcome::Unknown { feature, task } => format!(
            "The task is for {task} of {}, and there is no such feature. Nothing was changed. A feature begins with a task [{}].",
            quoted(feature),
            engine.flow.first().tag
        ),
    };
    Told {
        context: Some(bounded(&format!("Workflow: {context}"))),
        message: short(outcome),
    }
}

/// The same in a few words, for the person.
pub fn short(outcome: &Outcome) -> Option<String> {
    let line = match outcome {
        Outcome::Nothing | Outcome::Partly { .. } => return None,
        Outcome::Begun { feature, phase } => format!("{}: begins with {phase}", name(feature)),
        Outcome::Moved { feature, from, to } => format!("{}: {from} → {to}", name(feature)),
        Outcome::Finished { feature, .. } => format!("{}: finished", name(feature)),
        Outcome::Waits {
            feature,
            phase,
            waits,
        } => format!(
            "{}: {phase} is done; {}",
            name(feature),
            why(waits, feature)
        ),
        Outcome::Disagrees {
            feature,
            phase,
            task,
        } => format!(
            "{} is in {phase}, and a task for {task} was completed; nothing was changed",
            name(feature)
        ),
        Outcome::Unknown { feature, task } => format!(
            "a task for {task} of {} was completed, and there is no such feature",
            quoted(feature)
        ),
    };
    Some(bounded(&line))
}

fn why(waits: &Waits, feature: &str) -> String {
    let next = waits.to.as_deref().unwrap_or_default();
    match waits.r#for {
        WaitsFor::Checkpoint => format!("please review it: {}", command(feature, next)),
        WaitsFor::Person => format!("you say when it goes on: {}", command(feature, next)),
        WaitsFor::Limit => format!(
            "there were as many iterations as are allowed, please decide: {}",
            command(feature, next)
        ),
        WaitsFor::Rate => "its match rate is not measured".to_owned(),
        WaitsFor::Paper => "what it must leave behind is not there".to_owned(),
    }
}

/// What a person types to let it go on.
fn command(feature: &str, next: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
    let feature = if feature.chars().all(plain) {
        feature.to_owned()
    } else {
        format!("'{}'", feature.replace('\'', "'\\''"))
    };
    format!("`bellwether workflow next {feature}` begins {next}")
}

/// A check that found little of the design in the work speaks for another design, which is the person's to decide.
fn redesign(engine: &Engine<'_>, status: &Status, feature: &str, from: &str) -> String {
    let measured = engine.flow.phase(from).is_some_and(Phase::is_measured);
    let rate = status.features.get(feature).and_then(|found| found.rate);
    match rate.filter(|rate| measured && speaks_for_redesign(rate.percent)) {
        Some(rate) => format!(
            " Its match rate is only {}: tell the person that another design may be better.",
            rate.percent
        ),
        None => String::new(),
    }
}

/// What the model is to do next: the task that is there for it, or a new one.
fn take_up(
    engine: &Engine<'_>,
    status: &Status,
    session: &str,
    feature: &str,
    phase: &str,
) -> String {
    let mut open = status
        .tasks_of(engine.flow, session, feature, phase)
        .filter(|task| task.state != TaskState::Done);
    if let Some(task) = open.next() {
        return format!("Task {} on the list is for it; take it up now.", task.id);
    }
    let tag = engine.flow.phase(phase).map_or(phase, |phase| &phase.tag);
    let measured = engine.flow.phase(phase).is_some_and(Phase::is_measured);
    let report = if measured {
        format!(
            " Write the report to {} with a line \"Match Rate: N%\" before you complete it.",
            engine.papers.report(feature)
        )
    } else {
        String::new()
    };
    let subject = format!("[{tag}] {}", name(feature));
    format!("Create the task {subject:?} and take it up now.{report}")
}

fn waiting(engine: &Engine<'_>, feature: &str, waits: &Waits) -> String {
    let next = waits.to.as_deref().unwrap_or_default();
    match waits.r#for {
        WaitsFor::Checkpoint => {
            format!("The person reviews it before {next} begins: do not go on with it by yourself.")
        }
        WaitsFor::Person => {
            format!("The person says when {next} begins: do not go on with it by yourself.")
        }
        WaitsFor::Limit => {
            "It has failed as often as is allowed: stop here and ask the person.".to_owned()
        }
        WaitsFor::Rate => unmeasured(engine, feature),
        WaitsFor::Paper => "What this phase must leave behind is not there: write it.".to_owned(),
    }
}

fn unmeasured(engine: &Engine<'_>, feature: &str) -> String {
    let report = engine.papers.report(feature);
    let seen = match engine.papers.rate(feature, 0) {
        Reading::Several(_) => "the report states several",
        _ => "no report of this phase states one",
    };
    format!(
        "Its match rate is not measured: {seen}. Write \"Match Rate: N%\" into {report}, then run `bellwether workflow set {} --rate N`.",
        quoted(feature)
    )
}

fn disagrees(
    engine: &Engine<'_>,
    status: &Status,
    feature: &str,
    phase: &str,
    task: &str,
) -> String {
    let found = status.features.get(feature);
    if found.is_some_and(|found| found.finished_ms.is_some()) {
        return format!(
            "The task is for {task} of {}, which is finished. Nothing was changed.",
            quoted(feature)
        );
    }
    let waits = found.and_then(|found| found.waits.as_ref());
    let waits = waits.map(|waits| format!(" {}", waiting(engine, feature, waits)));
    format!(
        "The task is for {task}, and {} is in {phase}. Nothing was changed.{}",
        quoted(feature),
        waits.unwrap_or_default()
    )
}

fn name(feature: &str) -> String {
    if feature.chars().count() <= NAME {
        return feature.to_owned();
    }
    let cut: String = feature.chars().take(NAME - 1).collect();
    cut + "…"
}

fn quoted(feature: &str) -> String {
    format!("{:?}", name(feature))
}

fn bounded(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}
