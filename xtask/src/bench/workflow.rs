//! What planned work costs the hook: in a project that has none, and at the events that move it.

use std::fs;

use anyhow::{Result, ensure};
use serde_json::Value;

use super::hook::{BASELINE, OBSERVED, hook};
use super::interleave::{self, Subject};
use super::{Bench, Figure};
use crate::build::Program;
use bellwether_tests::planned::{created, idle, moved};
use bellwether_tests::{Installation, Planned};

/// How much slower than `/bin/true` an event may be that a workflow takes in.
const TAKEN_IN: f64 = 1.4;

pub(super) fn measure(bench: &Bench<'_>) -> Result<Vec<Figure>> {
    let place = Installation::new(&bench.dist.programs()?)?;
    let _daemon = place.start_daemon(&[])?;
    let planned = Planned::of(place, "automation: full-auto, checkpoints: []")?;
    planned.tell(&created("1", "[Plan] login"))?;
    let done = moved("1", "completed");
    let moves = at(bench, &planned, "TaskUpdate that moves a feature", &done)?;
    let design = created("2", "[Design] login");
    let notes = at(bench, &planned, "TaskCreate that is noted", &design)?;
    planned.tell(&done)?;
    let phase = planned.feature("login")?["phase"].clone();
    ensure!(phase == "design", "the feature is in {phase}");
    let name = "TeammateIdle without a task to give";
    let idles = at(bench, &planned, name, &idle("tester"))?;
    let name = "TaskUpdate in a project without a workflow";
    let without = Subject {
        at_most: Some(OBSERVED),
        ..elsewhere(bench, &planned, name, &done)
    };
    let baseline = Subject::new(BASELINE, BASELINE, done.to_string().as_bytes());
    let subjects = [baseline, without, moves, notes, idles];
    interleave::figures("workflow", &subjects, bench.arguments.runs)
}

/// The same event where nothing is planned.
fn elsewhere<'a>(
    bench: &Bench<'_>,
    planned: &'a Planned,
    name: &str,
    event: &Value,
) -> Subject<'a> {
    let payload = event.to_string();
    hook(
        bench,
        &Program::HOOK,
        &planned.place,
        name,
        payload.as_bytes(),
    )
}

/// An event in the project, whose status file is before each run as it is now.
fn at<'a>(
    bench: &Bench<'_>,
    planned: &'a Planned,
    name: &str,
    event: &Value,
) -> Result<Subject<'a>> {
    let before = fs::read(planned.file())?;
    Ok(Subject {
        variables: vec![("CLAUDE_PROJECT_DIR", planned.project().into())],
        prepare: Box::new(move || Ok(fs::write(planned.file(), &before)?)),
        at_most: Some(TAKEN_IN),
        ..elsewhere(bench, planned, name, event)
    })
}
