//! What came of a check that has ended.

use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

use crate::report::State;
use crate::steps::{Step, Verdict};
use crate::words::useful;

/// The shell's code for a program that it has not found.
const NOT_FOUND: i32 = 127;
/// Who says that.
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh"];

/// How a check ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Judged {
    pub(crate) state: State,
    pub(crate) lines: Vec<String>,
}

/// Judges a check by its exit code and by what it said. Paths in these folders become relative.
pub(crate) fn judge(step: &Step, status: ExitStatus, text: &str, folders: &[&str]) -> Judged {
    let lines = useful(text, folders);
    match (status.code(), step.verdict) {
        (Some(0), Verdict::BySilence(list)) if !lines.is_empty() => {
            failed([vec![list.to_owned()], lines].concat())
        }
        (Some(0), _) => Judged {
            state: State::Passed,
            lines: Vec::new(),
        },
        (code, _) => match absent(step, code, text, &lines) {
            Some(line) => missing(line),
            None => failed(or_code(lines, status)),
        },
    }
}

/// A check that could not be started.
pub(crate) fn not_started(why: &std::io::Error) -> Judged {
    missing(format!("it cannot be started: {why}"))
}

pub(crate) fn failed(lines: Vec<String>) -> Judged {
    Judged {
        state: State::Failed,
        lines,
    }
}

fn missing(line: String) -> Judged {
    Judged {
        state: State::Missing,
        lines: vec![line],
    }
}

/// What is not installed, if that is why a check has failed.
fn absent(step: &Step, code: Option<i32>, text: &str, lines: &[String]) -> Option<String> {
    let known = step.absent.iter().find(|(part, _)| text.contains(part));
    if let Some((_, advice)) = known {
        return Some((*advice).to_owned());
    }
    // pnpm hides the shell's exit code, but not its words, and says nothing else then.
    let said = lines.last().and_then(|line| not_found(line));
    match said {
        Some(program) if code == Some(NOT_FOUND) || lines.len() == 1 => {
            Some(format!("{program} is not installed"))
        }
        _ if code == Some(NOT_FOUND) => Some("a program that it needs is not installed".to_owned()),
        _ => None,
    }
}

/// The program that a shell has not found: `sh: 1: eslint: not found`, `/bin/bash: line 1: eslint: command not found`.
fn not_found(line: &str) -> Option<&str> {
    let (shell, rest) = line.split_once(": ")?;
    let shell = shell.rsplit('/').next()?;
    SHELLS.contains(&shell).then_some(())?;
    let rest = [": command not found", ": not found"]
        .iter()
        .find_map(|end| rest.strip_suffix(end))?;
    rest.rsplit(": ").next()
}

/// The lines, or how it ended where it said nothing.
fn or_code(lines: Vec<String>, status: ExitStatus) -> Vec<String> {
    let said = if lines.is_empty() {
        "it said nothing"
    } else {
        ""
    };
    let ended = match (status.signal(), status.code()) {
        (Some(signal), _) => format!("it was ended by signal {signal}"),
        (_, Some(code)) if !said.is_empty() => format!("{said} and ended with code {code}"),
        _ => return lines,
    };
    [lines, vec![ended]].concat()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn step(absent: &'static [(&'static str, &'static str)], verdict: Verdict) -> Step {
        Step {
            name: "s".to_owned(),
            program: Path::new("/bin/sh").to_owned(),
            words: Vec::new(),
            shown: "s".to_owned(),
            folder: "/".into(),
            variables: Vec::new(),
            verdict,
            how: String::new(),
            absent,
        }
    }

    fn judged(code: i32, text: &str) -> (State, String) {
        let step = step(&[("offline", "fetch it")], Verdict::ByCode);
        let judged = judge(&step, ExitStatus::from_raw(code << 8), text, &[]);
        (judged.state, judged.lines.join("|"))
    }

    #[test]
    fn a_missing_program_is_no_failure() {
        let pnpm = include_str!("../fixtures/pnpm-gone.txt");
        let absent = (State::Missing, "nosuchtool is not installed".to_owned());
        for (code, text) in [
            (127, include_str!("../fixtures/npm-gone.txt")),
            (1, pnpm),
            (127, include_str!("../fixtures/yarn-gone.txt")),
            (127, include_str!("../fixtures/bun-gone.txt")),
        ] {
            assert_eq!(judged(code, text), absent);
        }
        assert_eq!(
            judged(101, "error: offline"),
            (State::Missing, "fetch it".to_owned())
        );
        let (state, _) = judged(1, "a.js: error\nsh: 1: x: not found");
        assert_eq!(state, State::Failed, "something else was said too");
    }

    #[test]
    fn crates_that_are_not_downloaded_are_missing() {
        let text = include_str!("../fixtures/cargo-offline.txt");
        let rust = step(
            &[("you're using offline mode (--offline)", "run `cargo fetch`")],
            Verdict::ByCode,
        );
        let judged = judge(&rust, ExitStatus::from_raw(101 << 8), text, &[]);
        assert_eq!(judged, missing("run `cargo fetch`".to_owned()));
    }

    #[test]
    fn a_failure_says_something() {
        assert_eq!(judged(0, "words"), (State::Passed, String::new()));
        assert_eq!(
            judged(3, ""),
            (
                State::Failed,
                "it said nothing and ended with code 3".to_owned()
            )
        );
        let killed = judge(
            &step(&[], Verdict::ByCode),
            ExitStatus::from_raw(9),
            "x",
            &[],
        );
        assert_eq!(killed.lines, ["x", "it was ended by signal 9"]);
    }

    #[test]
    fn a_list_of_files_is_a_failure_with_code_0() {
        let gofmt = step(&[], Verdict::BySilence("not formatted:"));
        let text = include_str!("../fixtures/gofmt.txt");
        let judged = judge(&gofmt, ExitStatus::from_raw(0), text, &[]);
        assert_eq!(
            judged,
            failed(vec!["not formatted:".to_owned(), "b.go".to_owned()])
        );
        assert_eq!(
            judge(&gofmt, ExitStatus::from_raw(0), "", &[]).state,
            State::Passed
        );
    }
}
