//! What a call was given.

use bellwether_protocol::event::{Deed, Tool, ToolKind};
use bellwether_spine::text;
use serde::Serialize;
use serde_json::Value;

use super::{Around, Change, inside};
use crate::shown;

/// JSON that is longer is shown as text.
const LONGEST_JSON: usize = 256 * 1024;
/// Only so many fields are shown.
const FIELDS: usize = 40;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Input {
    Command {
        text: String,
        /// What it was said to be for.
        about: Option<String>,
    },
    Change(Change),
    Read {
        path: String,
    },
    Questions {
        questions: Vec<Question>,
    },
    /// In Markdown.
    Plan {
        text: String,
    },
    Tasks {
        tasks: Vec<Task>,
    },
    Agent {
        /// Its type, as the client calls it.
        agent: String,
        /// What it is told, in Markdown.
        prompt: String,
    },
    Fields {
        fields: Vec<Field>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Question {
    pub question: String,
    pub choices: Vec<(String, String)>,
    pub answer: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Task {
    pub subject: String,
    pub status: String,
}

/// A field of an input, and its value as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Field {
    pub name: String,
    pub value: String,
}

impl Input {
    pub(super) fn of(tool: &Tool<'_>, around: &Around<'_>) -> Self {
        let most = around.limits.tool;
        match tool.does {
            ToolKind::Question => return questions(tool),
            ToolKind::TaskBoard => return tasks(tool),
            ToolKind::AgentStart => return agent(tool, most),
            _ => {}
        }
        if let Some(plan) = tool.plan() {
            let text = shown::beginning(&plan, around.limits.words);
            return Self::Plan { text };
        }
        match tool.deed() {
            Deed::Command(command) => Self::Command {
                text: shown::ends(&command.text, most),
                about: tool.about().map(|about| shown::line(&about, 200)),
            },
            Deed::Change(change) => Self::Change(Change::of(&change, &tool.patch(), most)),
            Deed::Read(path) if tool.does == ToolKind::Read => Self::Read {
                path: shown::line(inside(&path, around.folder), 400),
            },
            _ => fields(tool, most),
        }
    }
}

fn questions(tool: &Tool<'_>) -> Input {
    let line = |text: &str| shown::line(text, 400);
    let told = tool.questions().into_iter().map(|told| Question {
        question: line(&told.question),
        choices: told
            .choices
            .iter()
            .map(|(name, about)| (line(name), line(about.as_deref().unwrap_or_default())))
            .collect(),
        answer: told.answer.as_deref().map(line),
    });
    Input::Questions {
        questions: told.collect(),
    }
}

fn tasks(tool: &Tool<'_>) -> Input {
    let told = tool.task_board().into_iter().take(FIELDS * 4);
    let task = told.map(|task| Task {
        subject: shown::line(&task.subject, 400),
        status: shown::line(&task.status, 40),
    });
    Input::Tasks {
        tasks: task.collect(),
    }
}

fn agent(tool: &Tool<'_>, most: usize) -> Input {
    let started = tool.started_agent();
    let prompt = started.as_ref().and_then(|agent| agent.prompt.as_deref());
    Input::Agent {
        prompt: shown::beginning(prompt.unwrap_or_default(), most),
        agent: shown::line(started.as_ref().map_or("", |agent| &agent.kind), 80),
    }
}

fn fields(tool: &Tool<'_>, most: usize) -> Input {
    let json = tool.input.map_or("", |input| input.get());
    let read = (json.len() <= LONGEST_JSON).then(|| serde_json::from_str::<Value>(json).ok());
    let fields = match read.flatten().as_ref().map(text::shown_json) {
        Some(Value::Object(object)) => {
            let field = |(name, value): (&String, &Value)| Field {
                name: shown::line(name, 80),
                value: value_text(value, most),
            };
            object.iter().take(FIELDS).map(field).collect()
        }
        Some(Value::Null) => Vec::new(),
        _ if json.is_empty() => Vec::new(),
        _ => vec![Field {
            name: String::new(),
            value: shown::ends(json, most),
        }],
    };
    Input::Fields { fields }
}

fn value_text(value: &Value, most: usize) -> String {
    match value {
        Value::String(text) => shown::ends(text, most),
        Value::Array(_) | Value::Object(_) => {
            let json = serde_json::to_string_pretty(value).unwrap_or_default();
            shown::ends(&json, most)
        }
        other => other.to_string(),
    }
}
