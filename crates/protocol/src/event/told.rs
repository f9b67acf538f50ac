//! What a call tells somebody who reads about it afterwards: the questions and their answers, a plan, a list of tasks, and
//! what became of a file.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::question::{Asking, questions};
use super::{Tool, ToolKind};
use crate::fields::Fields;

/// A task of a list that is written as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldTask<'a> {
    pub subject: Cow<'a, str>,
    pub status: Cow<'a, str>,
}

/// A part of a file before and after a change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToldHunk {
    /// The line at which it begins, counted from one.
    pub old_start: u64,
    pub new_start: u64,
    pub old: String,
    pub new: String,
}

impl<'a> Tool<'a> {
    /// The questions that it asks the person, with the answers if there are any.
    pub fn questions(&self) -> Vec<Asking<'a>> {
        if self.does != ToolKind::Question {
            return Vec::new();
        }
        let answers: Option<Fields<'a>> = self.answered().and_then(|it| it.get("answers"));
        let answer = |question: &str| answers.as_ref().and_then(|answers| answers.get(question));
        let asked = questions(self.input.map(RawValue::get)).into_iter();
        asked
            .map(|asking| Asking {
                answer: answer(&asking.question),
                ..asking
            })
            .collect()
    }

    /// The plan that the person is shown, in Markdown.
    pub fn plan(&self) -> Option<Cow<'a, str>> {
        (self.does == ToolKind::Plan).then(|| self.given("plan"))?
    }

    /// The list of tasks, where it is written as a whole.
    pub fn task_board(&self) -> Vec<ToldTask<'a>> {
        if self.does != ToolKind::TaskBoard {
            return Vec::new();
        }
        let tasks: Vec<Fields<'a>> = self.given("todos").unwrap_or_default();
        let told = |task: &Fields<'a>| {
            Some(ToldTask {
                subject: task.get("content")?,
                status: task.get("status").unwrap_or_default(),
            })
        };
        tasks.iter().filter_map(told).collect()
    }

    /// What the call was said to be for.
    pub fn about(&self) -> Option<Cow<'a, str>> {
        self.given("description")
    }

    /// What became of the file, where the client says so.
    pub fn patch(&self) -> Vec<ToldHunk> {
        let hunks: Option<Vec<Fields<'a>>> =
            self.answered().and_then(|it| it.get("structuredPatch"));
        hunks.unwrap_or_default().iter().map(hunk).collect()
    }

    fn given<T: crate::fields::FromRaw<'a>>(&self, name: &str) -> Option<T> {
        Fields::parse(self.input?.get()).ok()?.get(name)
    }

    fn answered(&self) -> Option<Fields<'a>> {
        Fields::parse(self.response.map(RawValue::get)?).ok()
    }
}

/// Each line begins with a sign: of which side it is.
fn hunk(fields: &Fields<'_>) -> ToldHunk {
    let lines: Vec<Cow<'_, str>> = fields.get("lines").unwrap_or_default();
    let mut hunk = ToldHunk {
        old_start: fields.get("oldStart").unwrap_or(1),
        new_start: fields.get("newStart").unwrap_or(1),
        ..ToldHunk::default()
    };
    for line in &lines {
        let (sign, words) = line.split_at(line.floor_char_boundary(1));
        for (side, other) in [(&mut hunk.old, "+"), (&mut hunk.new, "-")] {
            // A backslash begins a remark on the line before.
            if sign != other && sign != "\\" {
                side.push_str(words);
                side.push('\n');
            }
        }
    }
    hunk
}

#[cfg(test)]
mod tests {
    use crate::client::Client;

    use super::*;

    fn raw(json: &str) -> Box<RawValue> {
        RawValue::from_string(json.to_owned()).unwrap()
    }

    #[test]
    fn questions_come_with_their_answers() {
        let input = raw(
            r#"{"questions":[{"question":"Which?","options":[{"label":"A","description":"one"},{"label":"B"}]},{"header":"x"}]}"#,
        );
        let answer = raw(r#"{"answers":{"Which?":"B"}}"#);
        let mut tool = Client::default().tool("AskUserQuestion", Some(&input));
        assert_eq!(tool.questions()[0].answer, None);
        tool.response = Some(&answer);
        let told = tool.questions();
        assert_eq!((told.len(), told[0].answer.as_deref()), (1, Some("B")));
        assert_eq!(told[0].choices[0], ("A".into(), Some("one".into())));
        assert!(
            Client::default()
                .tool("Bash", Some(&input))
                .questions()
                .is_empty()
        );
    }

    #[test]
    fn plans_lists_and_patches() {
        let input = raw(r##"{"plan":"# Plan","todos":[{"content":"a","status":"pending"},{}]}"##);
        let plan = Client::default().tool("ExitPlanMode", Some(&input));
        assert_eq!(plan.plan().as_deref(), Some("# Plan"));
        let board = Client::default().tool("TodoWrite", Some(&input));
        assert_eq!((board.plan(), board.task_board().len()), (None, 1));
        let answer = raw(
            r#"{"structuredPatch":[{"oldStart":3,"newStart":4,"lines":[" a","-b","+é","\\ No newline",""]}]}"#,
        );
        let mut edit = Client::default().tool("Edit", None);
        edit.response = Some(&answer);
        let hunk = &edit.patch()[0];
        assert_eq!(
            (hunk.old.as_str(), hunk.new.as_str()),
            ("a\nb\n\n", "a\né\n\n")
        );
        assert_eq!((hunk.old_start, hunk.new_start), (3, 4));
    }
}
