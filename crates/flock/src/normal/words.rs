//! The words by which an event is found again: masked, and not more than a search needs.

use std::borrow::Cow;

use bellwether_protocol::event::{Event, Kind, Tool};
use bellwether_spine::text;

use super::meaning::beginning;

/// As many bytes of one field are looked at.
const FIELD: usize = 200;
/// As many bytes of all are kept.
const ALL: usize = 360;

/// As many bytes of what a tool answered.
const ANSWER: usize = 160;

/// The words of an event. A tool's input counts where the call begins, and its answer where it ends,
/// so that one call is found once.
pub(crate) fn search_words(event: &Event<'_>) -> String {
    let mut words = String::with_capacity(ALL);
    if let Some(tool) = &event.tool {
        tool_words(event.kind, tool, &mut words);
    }
    let agent = event.agent.as_ref();
    let task = event.task.as_ref();
    let parts = [
        event.message.as_deref(),
        event.title.as_deref(),
        event.detail.as_deref(),
        event.path.as_deref(),
        task.and_then(|task| task.subject.as_deref()),
        task.and_then(|task| task.description.as_deref()),
        agent.and_then(|agent| agent.name.as_deref().or(agent.kind.as_deref())),
    ];
    for part in parts.into_iter().flatten() {
        add(&mut words, part);
    }
    match text::mask(&words) {
        Cow::Borrowed(_) => words,
        Cow::Owned(masked) => masked,
    }
}

fn tool_words(kind: Kind, tool: &Tool<'_>, words: &mut String) {
    add(words, &tool.name);
    if matches!(kind, Kind::PostToolUse | Kind::PostToolUseFailure) {
        if let Some(error) = &tool.error {
            add(words, error);
        } else if let Some(response) = tool.response {
            add(words, beginning(response.get(), ANSWER));
        }
        return;
    }
    for text in tool.searched() {
        add(words, &text);
    }
}

fn add(words: &mut String, more: &str) {
    let room = ALL.saturating_sub(words.len()).min(FIELD);
    let more = beginning(more, room);
    if more.is_empty() {
        return;
    }
    if !words.is_empty() {
        words.push('\n');
    }
    words.push_str(more);
}

#[cfg(test)]
mod tests {
    use bellwether_protocol::client::Client;

    use super::*;

    fn of(payload: &str) -> String {
        search_words(&Client::default().parse(payload).unwrap())
    }

    #[test]
    fn a_call_is_found_by_its_input_and_its_answer() {
        let before = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"make check"}}"#;
        assert_eq!(of(before), "Bash\nmake check");
        let after = r#"{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make check"},"tool_response":{"stdout":"fine"}}"#;
        assert_eq!(of(after), "Bash\n{\"stdout\":\"fine\"}");
    }

    #[test]
    fn secrets_are_no_words_and_long_texts_are_cut() {
        let secret = r#"{"hook_event_name":"UserPromptSubmit","prompt":"use ghp_abcdefghijklmnopqrstuvwxyz0123456789 now"}"#;
        let words = of(secret);
        assert!(
            words.contains("now") && !words.contains("abcdef"),
            "{words}"
        );
        let long = format!(
            r#"{{"hook_event_name":"Stop","last_assistant_message":"{}"}}"#,
            "é".repeat(5000)
        );
        assert!(of(&long).len() <= FIELD);
    }
}
