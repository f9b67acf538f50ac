//! What is said about a commit: to the agent why it was not made, to the person what they should know, and to the journal what
//! came of it.

use bellwether_protocol::reply::{Decision, Reply};
use bellwether_spine::text;

use super::config::OnTimeout;
use super::report::{Outcome, State, StepReport};

/// As much is told to the agent: lines, and characters of each.
const LINES: usize = 60;
const LINE: usize = 300;
/// As much is told to the person.
const NOTE: usize = 600;

/// What came of the checks of one command's commits.
#[derive(Debug, Clone)]
pub(super) struct Checked {
    pub verdict: CommitVerdict,
    pub steps: Vec<StepReport>,
    pub seconds: f64,
    /// For the person.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CommitVerdict {
    /// All was well, or there was nothing to check.
    Fine(Outcome),
    /// A check failed: what the agent is told.
    Failed(String),
    /// The time was up.
    Late(OnTimeout),
    /// Nobody can tell what would be committed: why.
    Doubtful(String),
    /// We could not check it: why.
    Unchecked(String),
}

impl Checked {
    /// Whether the commit is not made.
    pub(super) fn is_refused(&self) -> bool {
        match &self.verdict {
            CommitVerdict::Fine(_) | CommitVerdict::Unchecked(_) => false,
            CommitVerdict::Late(then) => *then == OnTimeout::Deny,
            CommitVerdict::Failed(_) | CommitVerdict::Doubtful(_) => true,
        }
    }

    pub(super) fn reply(&self, hint: Option<&str>) -> Reply {
        let reason = match &self.verdict {
            CommitVerdict::Failed(reason) => {
                Some(format!("{}{}", quoted(reason), hint.unwrap_or_default()))
            }
            CommitVerdict::Late(OnTimeout::Deny) => Some(self.late()),
            CommitVerdict::Doubtful(why) => Some(doubtful(why)),
            _ => None,
        };
        let mut notes: Vec<String> = self
            .notes
            .iter()
            .map(|note| text::shown(note, NOTE))
            .collect();
        if self.verdict == CommitVerdict::Late(OnTimeout::Allow) {
            notes.push(format!(
                "the checks of this commit did not end within {}; it is made all the same",
                self.took()
            ));
        }
        notes.retain(|note| !note.is_empty());
        Reply {
            decision: reason.map(Decision::Deny),
            message: (!notes.is_empty()).then(|| format!("bellwether gate: {}", notes.join("\n"))),
            ..Reply::default()
        }
    }

    fn late(&self) -> String {
        let open = self.named(State::Late);
        let open = if open.is_empty() {
            "the checks".to_owned()
        } else {
            open
        };
        format!(
            "bellwether's gate stopped this commit: {open} did not end within {}. Nothing was committed. \
             Find out what takes so long, or ask the person to allow more time",
            self.took()
        )
    }

    /// It in a line.
    pub(super) fn line(&self) -> String {
        let (failed, took) = (self.named(State::Failed), self.took());
        let line = match &self.verdict {
            CommitVerdict::Fine(Outcome::Passed) => {
                format!("gate: passed, {took} ({})", self.named(State::Passed))
            }
            CommitVerdict::Fine(_) => "gate: nothing to check".to_owned(),
            CommitVerdict::Failed(_) => format!("gate: {failed} failed, {took}"),
            CommitVerdict::Late(OnTimeout::Deny) => {
                format!("gate: not done within {took}, so nothing was committed")
            }
            CommitVerdict::Late(OnTimeout::Allow) => {
                format!("gate: not done within {took}, committed all the same")
            }
            CommitVerdict::Doubtful(why) => {
                format!("gate: nobody can tell what would be committed, because {why}")
            }
            CommitVerdict::Unchecked(why) => format!("gate: not checked, because {why}"),
        };
        text::shown(&line, LINE)
    }

    /// One word for it.
    pub(super) fn outcome(&self) -> &'static str {
        match &self.verdict {
            CommitVerdict::Fine(Outcome::Passed) => "passed",
            CommitVerdict::Fine(_) => "nothing",
            CommitVerdict::Failed(_) => "failed",
            CommitVerdict::Late(_) => "late",
            CommitVerdict::Doubtful(_) => "doubtful",
            CommitVerdict::Unchecked(_) => "unchecked",
        }
    }

    fn named(&self, state: State) -> String {
        let steps = self.steps.iter().filter(|step| step.state == state);
        let names: Vec<&str> = steps.map(|step| step.name.as_str()).collect();
        names.join(", ")
    }

    fn took(&self) -> String {
        format!("{:.0} s", self.seconds.max(1.0))
    }
}

fn doubtful(why: &str) -> String {
    format!(
        "bellwether's gate checks what is about to be committed, and nobody can tell yet what this commit would hold: {why}. \
         Run what comes before the commit first, then `git commit` in a command of its own"
    )
}

/// Lines of a program's output: nothing in them steers a terminal or holds a secret, and there are not too many.
fn quoted(reason: &str) -> String {
    let mut lines: Vec<String> = reason.lines().take(LINES).map(line).collect();
    if reason.lines().count() > LINES {
        lines.push("…".to_owned());
    }
    lines.join("\n")
}

/// A line with its indentation, by which a program points at something.
fn line(line: &str) -> String {
    let body = line.trim_start_matches(' ');
    let indented = (line.len() - body.len()).min(LINE);
    format!("{}{}", " ".repeat(indented), text::shown(body, LINE))
}
