//! What a dialog of the client puts before the person, whole enough to decide by.

use std::borrow::Cow;

use bellwether_protocol::event::{Asking, Deed, Event, Kind, Tool};
use bellwether_spine::text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::meaning::beginning;

/// A command is shown whole up to here, as where it can be answered.
const COMMAND: usize = 32 * 1024;
/// As much is kept of everything else.
const TEXT: usize = 2_000;
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
        let what = match tool.deed() {
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
        }
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
