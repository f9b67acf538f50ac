//! What the agent is told: which checks failed, the first useful lines, and what to do next.

use std::fmt::Write as _;

use crate::report::{Outcome, State, StepReport};

/// So much is said of all checks together.
const MOST: usize = 6000;

/// The reason for an outcome that stops a commit; nothing for others.
pub(crate) fn reason(outcome: Outcome, steps: &[StepReport], seconds: u64) -> String {
    match outcome {
        Outcome::Failed => failed(steps),
        Outcome::Late => late(steps, seconds),
        Outcome::Passed | Outcome::Nothing => String::new(),
    }
}

/// The reason when not even the first check had begun.
pub(crate) fn late_before(what: &str, seconds: u64) -> String {
    format!(
        "The checks before this commit did not end within {seconds} s: {what}. {}",
        again()
    )
}

fn failed(steps: &[StepReport]) -> String {
    let mut text = format!(
        "The checks before this commit failed: {}",
        named(steps, State::Failed)
    );
    for (state, word) in [(State::Passed, "passed"), (State::Late, "not finished")] {
        if steps.iter().any(|step| step.state == state) {
            let _ = write!(text, " ({word}: {})", named(steps, state));
        }
    }
    text.push_str(".\n");
    for step in steps.iter().filter(|step| step.state == State::Failed) {
        let _ = write!(text, "\n{}: {}\n", step.name, step.command);
        for line in &step.lines {
            if text.len() + line.len() > MOST {
                text.push_str("    [… more]\n");
                break;
            }
            let _ = writeln!(text, "    {line}");
        }
    }
    text.push_str(
        "\nFix this, stage the files and commit again. What is staged is checked, not the work tree. To check without \
         committing, run: bellwether gate run",
    );
    text
}

fn late(steps: &[StepReport], seconds: u64) -> String {
    let mut text = format!(
        "The checks before this commit did not end within {seconds} s: {} not finished",
        named(steps, State::Late)
    );
    if steps.iter().any(|step| step.state == State::Passed) {
        let _ = write!(text, " (passed: {})", named(steps, State::Passed));
    }
    text.push_str(".\n");
    for step in steps.iter().filter(|step| step.state == State::Late) {
        if let Some(line) = step.lines.first() {
            let _ = writeln!(text, "    {}: {line}", step.name);
        }
    }
    text.push_str(&again());
    text
}

fn again() -> String {
    "Run `bellwether gate run`, which has no deadline and may take minutes, then commit again: what has passed is \
     remembered."
        .to_owned()
}

fn named(steps: &[StepReport], state: State) -> String {
    let names = steps.iter().filter(|step| step.state == state);
    names
        .map(|step| step.name.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(name: &str, state: State, lines: &[&str]) -> StepReport {
        StepReport {
            name: name.to_owned(),
            command: format!("run {name}"),
            state,
            seconds: 1.0,
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
        }
    }

    #[test]
    fn a_failure_names_the_checks_the_lines_and_the_next_step() {
        let steps = [
            step("rust-fmt", State::Passed, &[]),
            step("node-lint", State::Failed, &["a.js", "  1:7 error x"]),
        ];
        let told = reason(Outcome::Failed, &steps, 50);
        assert!(
            told.starts_with("The checks before this commit failed: node-lint (passed: rust-fmt).\n\nnode-lint: run node-lint\n    a.js\n"),
            "{told}"
        );
        assert!(told.ends_with("bellwether gate run"), "{told}");
    }

    #[test]
    fn what_took_too_long_is_named_with_its_last_words() {
        let steps = [
            step("rust-fmt", State::Passed, &[]),
            step(
                "rust-clippy",
                State::Late,
                &["Blocking waiting for file lock"],
            ),
        ];
        let told = reason(Outcome::Late, &steps, 50);
        assert!(
            told.starts_with("The checks before this commit did not end within 50 s: rust-clippy not finished (passed: rust-fmt).\n    rust-clippy: Blocking"),
            "{told}"
        );
        assert!(
            told.contains("commit again: what has passed is remembered"),
            "{told}"
        );
    }

    #[test]
    fn many_failures_stay_within_bounds() {
        let line = "x".repeat(200);
        let lines: Vec<&str> = vec![line.as_str(); 20];
        let steps: Vec<StepReport> = (0..20)
            .map(|number| step(&format!("s{number}"), State::Failed, &lines))
            .collect();
        let told = reason(Outcome::Failed, &steps, 50);
        assert!(told.len() < MOST + 2500, "{}", told.len());
        assert!(told.contains("s19: run s19"), "every one is named");
    }
}
