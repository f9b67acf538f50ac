//! A call of a tool: what it was given, in the form in which it is best read, and what came of it.

mod change;
mod input;

use bellwether_protocol::event::Tool;
use serde::Serialize;

pub use change::{Change, ChangeLine, Hunk, Sign};
pub use input::{Field, Input, Question, Task};

use crate::answer::has_run;
use crate::image::{Image, Room};
use crate::raw::{RawAnswer, RawBlock};
use crate::shown::{self, Limits};
use crate::stops::{Stop, StopHow};

/// A title has this many characters at the most.
const TITLE: usize = 160;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Call {
    pub id: String,
    /// The tool's name as the client has it.
    pub tool: String,
    /// What it is about, in a line.
    pub title: String,
    pub at_ms: Option<u64>,
    /// How long it took, with the time in which it waited for a person.
    pub duration_ms: Option<u64>,
    pub outcome: Outcome,
    pub input: Input,
    /// What the tool answered.
    pub answer: Vec<Answered>,
    /// What the guard had against it.
    pub stop: Option<Stop>,
}

/// What became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Done,
    Failed,
    /// It did not run.
    Refused,
    /// No answer stands in the transcript.
    Unanswered,
}

/// A part of what a tool answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "part", rename_all = "snake_case")]
pub enum Answered {
    Text { text: String },
    Image(Image),
}

/// What else is known of a call, where it is shown.
pub(crate) struct Around<'a> {
    pub limits: &'a Limits,
    pub room: &'a Room,
    /// The folder of the session: paths in it are shown without it.
    pub folder: &'a str,
    pub stop: Option<&'a Stop>,
}

impl Call {
    pub(crate) fn new(
        id: &str,
        tool: &Tool<'_>,
        answer: Option<&RawAnswer<'_>>,
        around: &Around<'_>,
    ) -> Self {
        // What a subagent said last, without what the client puts around it.
        let words = tool.last_words().map(|words| Answered::Text {
            text: shown::ends(&words, around.limits.tool),
        });
        let answered = answer.map(|answer| match words {
            Some(words) => vec![words],
            None => answered(answer, around),
        });
        let outcome = outcome(answer, answered.as_deref(), around.stop);
        Self {
            id: shown::line(id, 80),
            tool: shown::line(&tool.name, 120),
            title: title(tool, around.folder),
            at_ms: None,
            duration_ms: None,
            outcome,
            input: Input::of(tool, around),
            answer: answered.unwrap_or_default(),
            stop: around.stop.cloned(),
        }
    }
}

fn title(tool: &Tool<'_>, folder: &str) -> String {
    let agent = tool.started_agent().and_then(|agent| agent.about);
    let question = || Some(tool.questions().first()?.question.clone());
    let about = agent.or_else(question).or_else(|| tool.telling());
    let about = about.unwrap_or_else(|| board(tool).into());
    shown::line(inside(&about, folder), TITLE)
}

/// How far a list of tasks is.
fn board(tool: &Tool<'_>) -> String {
    let tasks = tool.task_board();
    let done = tasks
        .iter()
        .filter(|task| task.status == "completed")
        .count();
    match tasks.len() {
        0 => String::new(),
        all => format!("{done} of {all} done"),
    }
}

/// A path within the session's folder.
fn inside<'a>(path: &'a str, folder: &str) -> &'a str {
    let rest = path.strip_prefix(folder).filter(|_| !folder.is_empty());
    let rest = rest.and_then(|rest| rest.strip_prefix('/'));
    rest.filter(|rest| !rest.is_empty()).unwrap_or(path)
}

fn answered(answer: &RawAnswer<'_>, around: &Around<'_>) -> Vec<Answered> {
    let part = |block| match block {
        RawBlock::Text(text) => Answered::Text {
            text: shown::ends(&text, around.limits.tool),
        },
        RawBlock::Image { media, data } => Answered::Image(around.room.image(&media, &data)),
        RawBlock::Other(kind) => Answered::Text {
            text: format!("[{}]", shown::line(&kind, 60)),
        },
        _ => Answered::Text {
            text: String::new(),
        },
    };
    let mut parts: Vec<Answered> = answer.blocks().into_iter().map(part).collect();
    parts.retain(|part| !matches!(part, Answered::Text { text } if text.trim().is_empty()));
    parts
}

fn outcome(
    answer: Option<&RawAnswer<'_>>,
    answered: Option<&[Answered]>,
    stop: Option<&Stop>,
) -> Outcome {
    let Some(answer) = answer else {
        let refused = stop.is_some_and(|stop| stop.how == StopHow::Refused);
        return if refused {
            Outcome::Refused
        } else {
            Outcome::Unanswered
        };
    };
    if !answer.is_error {
        return Outcome::Done;
    }
    let said = match answered.and_then(<[_]>::first) {
        Some(Answered::Text { text }) => text.as_str(),
        _ => "",
    };
    if has_run(said) {
        Outcome::Failed
    } else {
        Outcome::Refused
    }
}
