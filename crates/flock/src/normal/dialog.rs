//! What a dialog of the client puts before the person, whole enough to decide by.

use std::borrow::Cow;

use bellwether_protocol::event::{Asking, Deed, Event, Kind, NewText, Replacement, Tool};
use bellwether_spine::text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::meaning::beginning;

/// A command is shown whole up to here, as where it can be answered.
const COMMAND: usize = 32 * 1024;
/// As much is kept of everything else.
const TEXT: usize = 2_000;
/// As much of what a file holds and would hold: enough to decide by, and little enough to be told with every change.
const EDIT: usize = 4_000;
/// So many pieces of a file that would be replaced are kept.
const EDITS: usize = 4;
/// So many questions and choices of a dialog are kept.
const MANY: usize = 16;

/// What the person is asked. Everything in it is masked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Dialog {
    /// The tool that needs permission.
    pub tool: Option<String>,
    /// What it would do: its command, whole, or its file, or what else is asked.
    pub what: Option<String>,
    /// The questions, where the agent asks some.
    pub questions: Vec<Question>,
    /// How the file would change.
    #[serde(default)]
    pub edits: Vec<Edit>,
}

/// A piece of a file that would be replaced, or a file that would be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Edit {
    /// What stands there; none where the whole file is written.
    pub old: Option<String>,
    /// What would stand there.
    pub new: String,
    /// Whether one of the two goes on.
    pub is_cut: bool,
}

/// A question of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// Its words.
    pub question: String,
    /// What can be chosen.
    pub choices: Vec<Choice>,
    /// Whether several can be chosen.
    pub several: bool,
}

/// Something that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Choice {
    /// In a word.
    pub label: String,
    /// What it means.
    pub description: Option<String>,
}

impl Dialog {
    /// The dialog that an event tells of.
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        match (event.kind, &event.tool) {
            (Kind::PermissionRequest, Some(tool)) => Some(Self::about(tool)),
            (Kind::PermissionRequest | Kind::Elicitation, None) => Some(Self {
                what: event.message.as_deref().map(words),
                ..Self::default()
            }),
            _ => None,
        }
    }

    fn about(tool: &Tool<'_>) -> Self {
        let deed = tool.deed();
        let edits = match &deed {
            Deed::Change(change) => edits(&change.to),
            _ => Vec::new(),
        };
        let what = match deed {
            Deed::Command(command) => Some(text::shown_block(beginning(&command.text, COMMAND))),
            Deed::Change(change) => Some(words(&change.path)),
            Deed::Read(path) => Some(words(&path)),
            Deed::Search(_) | Deed::Other => tool.telling().map(|telling| words(&telling)),
        };
        let questions = tool.questions();
        Self {
            tool: Some(text::shown(&tool.name, TEXT)),
            what,
            questions: questions.iter().take(MANY).map(Question::of).collect(),
            edits,
        }
    }
}

impl Edit {
    fn of(old: Option<&str>, new: &str) -> Self {
        let piece = |text: &str| text::shown_block(beginning(text, EDIT));
        Self {
            is_cut: new.len() > EDIT || old.is_some_and(|old| old.len() > EDIT),
            old: old.map(piece),
            new: piece(new),
        }
    }
}

fn edits(to: &NewText<'_>) -> Vec<Edit> {
    match to {
        NewText::Whole(text) => vec![Edit::of(None, text)],
        NewText::Replaced(parts) => {
            let edit = |part: &Replacement<'_>| Edit::of(Some(&part.old), &part.new);
            parts.iter().take(EDITS).map(edit).collect()
        }
        NewText::Unknown => Vec::new(),
    }
}

impl Question {
    fn of(asking: &Asking<'_>) -> Self {
        let choice = |(label, about): &(Cow<'_, str>, Option<Cow<'_, str>>)| Choice {
            label: words(label),
            description: about.as_deref().map(words),
        };
        Self {
            question: words(&asking.question),
            choices: asking.choices.iter().take(MANY).map(choice).collect(),
            several: asking.several,
        }
    }
}

fn words(words: &str) -> String {
    text::shown_block(beginning(words, TEXT))
}

#[cfg(test)]
mod tests {
    use bellwether_protocol::client::Client;

    use super::*;

    fn dialog(tool: &str, input: &str) -> Dialog {
        let payload = format!(
            r#"{{"hook_event_name":"PermissionRequest","session_id":"s","tool_name":"{tool}","tool_input":{input}}}"#
        );
        Dialog::of(&Client::default().parse(&payload).unwrap()).unwrap()
    }

    #[test]
    fn a_command_is_told_whole_and_without_its_secrets() {
        let long = format!("echo {}\\nTOKEN=hunter2hunter2 make", "x".repeat(3_000));
        let told = dialog("Bash", &format!(r#"{{"command":"{long}"}}"#))
            .what
            .unwrap();
        assert!(told.len() > 3_000 && told.contains("\nTOKEN="), "{told}");
        assert!(!told.contains("hunter2"), "{told}");
        assert_eq!(
            dialog("Write", r#"{"file_path":"/p/a","content":"x"}"#)
                .what
                .as_deref(),
            Some("/p/a")
        );
    }

    #[test]
    fn a_change_is_told_as_what_stands_there_and_what_would() {
        let told = dialog(
            "Edit",
            r#"{"file_path":"/p/a","old_string":"one\n","new_string":"TOKEN=hunter2hunter2\n"}"#,
        );
        let [edit] = told.edits.as_slice() else {
            panic!("{told:?}")
        };
        assert_eq!((edit.old.as_deref(), edit.is_cut), (Some("one\n"), false));
        assert!(!edit.new.contains("hunter2"), "{}", edit.new);
        let long = "x".repeat(EDIT + 1);
        let told = dialog(
            "Write",
            &format!(r#"{{"file_path":"/p/a","content":"{long}"}}"#),
        );
        assert_eq!(
            (told.edits[0].old.as_deref(), told.edits[0].is_cut),
            (None, true)
        );
        assert!(told.edits[0].new.len() <= EDIT + 8);
    }

    #[test]
    fn a_question_is_told_with_its_choices() {
        let told = dialog(
            "AskUserQuestion",
            r#"{"questions":[{"question":"Which way?","multiSelect":true,"options":[{"label":"Up","description":"Grass"},{"label":"Down"},7]},{"question":" "}]}"#,
        );
        let [question] = told.questions.as_slice() else {
            panic!("{told:?}")
        };
        assert_eq!(
            (question.question.as_str(), question.several),
            ("Which way?", true)
        );
        let choices: Vec<_> = question
            .choices
            .iter()
            .map(|it| (it.label.as_str(), it.description.as_deref()))
            .collect();
        assert_eq!(choices, [("Up", Some("Grass")), ("Down", None)]);
    }
}
