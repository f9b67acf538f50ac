//! Whether the checks before commits can run here.

use bellwether_gate::{Explained, StepExplained};

use super::{Finding, Setup};
use crate::doctor::finding::or_good;
use crate::gate::Here;

pub(super) const ABOUT: &str =
    "the checks before a commit can run here, where they are switched on";

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    // Outside of a work tree nothing is committed.
    let Ok(here) = Here::find(setup.home, None) else {
        return vec![Finding::good("no work tree of git here: nothing to check")];
    };
    if !here.is_on() {
        // What waits for trust is told by the check `trust`.
        return vec![Finding::good("off: commits are not checked here")];
    }
    let gate = &here.loaded.config.gate;
    match bellwether_gate::explain(gate, &here.root, Some(&here.project)) {
        Ok(found) => findings(&found),
        Err(error) => vec![Finding::problem(format!(
            "the checks before a commit cannot run: {error}"
        ))],
    }
}

fn findings(found: &Explained) -> Vec<Finding> {
    if found.steps.is_empty() {
        let text = "the gate is on, and no check applies here";
        return vec![Finding::note(text).advise("bellwether gate explain")];
    }
    let missing = found.steps.iter().filter_map(missing).collect();
    let names: Vec<&str> = found.steps.iter().map(|step| step.name.as_str()).collect();
    or_good(missing, format!("on: {}", names.join(", ")))
}

fn missing(step: &StepExplained) -> Option<Finding> {
    let missing = step.missing.as_ref()?;
    let text = format!("{} does not run before commits: {missing}", step.name);
    Some(Finding::warning(text).advise("install it, or leave the check out with gate.skip"))
}
