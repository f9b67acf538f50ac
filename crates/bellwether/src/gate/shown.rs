//! A run as people see it: one line a check, drawn again while it runs where there is a terminal.

use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write as _};

use bellwether_gate::{Outcome, Report, State, StepReport, Watcher};

use crate::output;

/// Drawn before a check that runs, one after another.
const SPINNER: [&str; 4] = ["|", "/", "-", "\\"];

/// Shows a run on stderr.
pub(crate) struct Progress {
    /// Where lines can be drawn again.
    terminal: bool,
    colour: bool,
    /// How many lines are drawn.
    drawn: usize,
    turn: usize,
    /// Which checks have been told to have ended.
    told: Vec<String>,
}

impl Progress {
    pub(crate) fn new() -> Self {
        let terminal = std::io::stderr().is_terminal();
        Self {
            terminal,
            colour: terminal && output::wants_colour_here(),
            drawn: 0,
            turn: 0,
            told: Vec::new(),
        }
    }

    fn draw(&mut self, steps: &[StepReport]) {
        let mut text = String::new();
        if self.drawn > 0 {
            let _ = write!(text, "\u{1b}[{}A", self.drawn);
        }
        self.turn += 1;
        let spinner = SPINNER[self.turn % SPINNER.len()];
        for step in steps {
            let _ = writeln!(text, "\u{1b}[2K{}", line(step, spinner, self.colour));
        }
        self.drawn = steps.len();
        // When nobody reads it, there is nobody to tell.
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }
}

impl Watcher for Progress {
    fn changed(&mut self, steps: &[StepReport]) {
        if self.terminal {
            self.draw(steps);
            return;
        }
        for step in steps {
            let ended = !matches!(step.state, State::Waiting | State::Running);
            if ended && !self.told.contains(&step.name) {
                note!("{}", line(step, "", false));
                self.told.push(step.name.clone());
            }
        }
    }

    fn answered(&mut self, report: &Report) {
        // What was stopped has ended since it was last drawn.
        self.changed(&report.steps);
    }
}

/// One check: how far it is, its name, how long it took.
fn line(step: &StepReport, spinner: &str, colour: bool) -> String {
    let (word, code) = match step.state {
        State::Waiting => ("waiting", "2"),
        State::Running => ("running", "0"),
        State::Passed => ("passed", "32"),
        State::Failed => ("failed", "31"),
        State::Late => ("late", "33"),
        State::Missing => ("missing", "33"),
        State::Skipped => ("skipped", "2"),
    };
    let shown = if colour {
        format!("\u{1b}[{code}m{word:8}\u{1b}[0m")
    } else {
        format!("{word:8}")
    };
    let seconds = match step.state {
        State::Waiting | State::Missing | State::Skipped => String::new(),
        State::Running => format!("{:>7.1} s {spinner}", step.seconds),
        _ => format!("{:>7.1} s", step.seconds),
    };
    let why = step.lines.first().filter(|_| step.state == State::Missing);
    let why = why.map(|why| format!("   {why}")).unwrap_or_default();
    format!("{shown} {:24}{seconds}{why}", step.name)
        .trim_end()
        .to_owned()
}

/// A report for people: what failed with its first useful lines, and what that means.
pub(crate) fn told(report: &Report) -> String {
    let mut text = String::new();
    for step in report
        .steps
        .iter()
        .filter(|step| step.state == State::Failed)
    {
        let _ = writeln!(text, "\n{}: {}", step.name, step.command);
        for line in &step.lines {
            let _ = writeln!(text, "    {line}");
        }
    }
    for note in report.note.lines() {
        let _ = writeln!(text, "note: {note}");
    }
    let count = |state: State| {
        report
            .steps
            .iter()
            .filter(|step| step.state == state)
            .count()
    };
    let ended = match report.outcome {
        Outcome::Passed => "passed; this tree is not checked again".to_owned(),
        Outcome::Nothing => "nothing to check here".to_owned(),
        Outcome::Failed => format!("{} failed", output::many(count(State::Failed), "check")),
        Outcome::Late if report.steps.is_empty() => report.reason.clone(),
        Outcome::Late => format!(
            "{} not finished in time",
            output::many(count(State::Late), "check")
        ),
    };
    let _ = writeln!(text, "{ended}");
    text.trim_start().to_owned()
}

/// Seconds since a moment, short.
pub(crate) fn duration(since_ms: u64) -> String {
    let now = bellwether_spine::clock::wall_ms();
    output::duration(now.saturating_sub(since_ms))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(state: State, lines: &[&str]) -> StepReport {
        StepReport {
            name: "node-lint".to_owned(),
            command: "npm run lint".to_owned(),
            state,
            seconds: 1.25,
            lines: lines.iter().map(ToString::to_string).collect(),
        }
    }

    #[test]
    fn a_check_is_one_line() {
        assert_eq!(
            line(&step(State::Passed, &[]), "|", false),
            "passed   node-lint                   1.2 s"
        );
        assert_eq!(
            line(&step(State::Running, &[]), "|", false),
            "running  node-lint                   1.2 s |"
        );
        let missing = line(
            &step(State::Missing, &["npm is missing: install npm"]),
            "|",
            false,
        );
        assert!(
            missing.starts_with("missing  node-lint")
                && missing.ends_with("npm is missing: install npm"),
            "{missing}"
        );
        assert!(line(&step(State::Failed, &[]), "|", true).starts_with("\u{1b}[31mfailed"));
    }

    #[test]
    fn a_failure_is_told_with_its_lines() {
        let report = Report {
            outcome: Outcome::Failed,
            steps: vec![step(State::Failed, &["a.js", "  1:7 error"])],
            reason: "for the agent".to_owned(),
            note: "x did not run".to_owned(),
        };
        let expected = "node-lint: npm run lint\n    a.js\n      1:7 error\nnote: x did not run\n1 check failed\n";
        assert_eq!(told(&report), expected);
    }
}
