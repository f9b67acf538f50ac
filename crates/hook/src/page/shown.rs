//! What the person is shown of a permission request.
//!
//! Nobody can allow what they have not seen: a command is shown whole, or not at all.

use std::path::Path;
use std::sync::Arc;

use bellwether_protocol::event::{Deed, Event, Tool};
use bellwether_spine::permission::{Asked, Named, Subject, View, input_hash};
use bellwether_spine::text;
use serde_json::Value;

use crate::guard::{Config, Finding, Judgement, Verdict};
use crate::handlers::Context;
use crate::handlers::guard::Case;

/// A longer command is for the terminal.
const COMMAND: usize = 32 * 1024;
/// Other texts are cut behind so many characters.
const TEXT: usize = 8_000;
/// More than this is not sent.
const INPUT: usize = 256 * 1024;
/// Each part of what the guard says is no longer than this.
const PART: usize = 400;

/// The request; `None` when it cannot be shown as it is.
pub(super) fn asked(context: Context<'_>, id: &str, wait_s: u32) -> Option<Asked> {
    let event = context.event;
    let tool = event.tool.as_ref()?;
    let raw = tool.input?.get();
    let mut input: Value = serde_json::from_str(raw).ok()?;
    let subject = subject(event, tool);
    if let Some(Subject::Command(command)) = &subject {
        (command.len() <= COMMAND).then_some(())?;
    } else {
        cut(&mut input);
    }
    (input.to_string().len() <= INPUT).then_some(())?;
    Some(Asked {
        id: id.to_owned(),
        session: event.session.as_deref().map(str::to_owned),
        agent: named(event),
        tool: tool.name.clone().into_owned(),
        input,
        input_hash: input_hash(raw),
        subject,
        project: crate::project_of(event, context.client).map(|path| path.display().to_string()),
        wait_ms: u64::from(wait_s) * 1000,
        guard: guards_view(context),
    })
}

fn named(event: &Event<'_>) -> Named {
    let agent = event.agent.clone().unwrap_or_default();
    let owned = |text: Option<std::borrow::Cow<'_, str>>| text.map(std::borrow::Cow::into_owned);
    Named {
        id: owned(agent.id),
        name: owned(agent.name),
        team: owned(agent.team),
    }
}

/// The command of a shell, or the file of a tool that changes or reads one.
fn subject(event: &Event<'_>, tool: &Tool<'_>) -> Option<Subject> {
    let path = match tool.deed() {
        Deed::Command(command) => return Some(Subject::Command(command.text.into_owned())),
        Deed::Change(change) => change.path,
        Deed::Read(path) => path,
        Deed::Search(_) | Deed::Other => return None,
    };
    let whole = Path::new(event.cwd.as_deref().unwrap_or("/")).join(path.as_ref());
    Some(Subject::Path(whole.display().to_string()))
}

/// Cuts long texts, and says how much there is of them.
fn cut(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some((end, _)) = text.char_indices().nth(TEXT) {
                let rest = text[end..].chars().count();
                text.truncate(end);
                text.extend(["… [", &rest.to_string(), " more characters]"]);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(cut),
        Value::Object(fields) => fields.values_mut().for_each(cut),
        _ => {}
    }
}

/// What the guard says about the same call: it is judged again, so that nobody has to have kept what was said before.
fn guards_view(context: Context<'_>) -> Option<View> {
    let config: Arc<Config> = Arc::new(context.settings.guard());
    let case = Case::of(context).filter(|_| config.enabled)?;
    view(&case.judgement(&config))
}

fn view(judgement: &Judgement) -> Option<View> {
    let first = judgement.findings.first()?;
    let shown = |text: &String| text::shown(text, PART);
    let word = |value: Value| value.as_str().unwrap_or_default().to_owned();
    let mut rules: Vec<String> = judgement
        .findings
        .iter()
        .map(|finding| finding.rule.clone())
        .collect();
    rules.dedup();
    let lost = judgement.findings.iter().filter_map(lost);
    Some(View {
        verdict: word(serde_json::to_value(judgement.verdict).ok()?),
        severity: word(serde_json::to_value(first.severity).ok()?),
        rules,
        reason: shown(&first.reason),
        lost: lost.map(shown).collect(),
        instead: first.instead.as_ref().map(shown),
    })
    .filter(|_| judgement.verdict != Verdict::Silent)
}

fn lost(finding: &Finding) -> Option<&String> {
    finding.lost.as_ref()
}

#[cfg(test)]
mod tests {
    use bellwether_protocol::client::Client;
    use bellwether_spine::Home;
    use serde_json::json;

    use super::*;
    use crate::settings::{Making, Settings};

    fn asked_with(tool: &str, input: &Value) -> Option<Asked> {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let settings = Settings::new(&home, None, Making::Never);
        let text = json!({
            "hook_event_name": "PermissionRequest", "session_id": "s", "agent_id": "a", "cwd": "/p",
            "tool_name": tool, "tool_input": input,
        })
        .to_string();
        let event = Client::default().parse(&text).unwrap();
        let context = Context {
            event: &event,
            home: &home,
            client: Client::default(),
            registered: Client::default(),
            settings: &settings,
            looked: &crate::looked::Looked::default(),
        };
        asked(context, "id", 5)
    }

    #[test]
    fn a_command_is_shown_whole_with_what_the_guard_says() {
        let command = "find \"$(ls | grep victim)\" -delete";
        let asked = asked_with("Bash", &json!({"command": command})).unwrap();
        assert_eq!(asked.subject, Some(Subject::Command(command.into())));
        assert_eq!(
            (asked.session.as_deref(), asked.agent.id.as_deref()),
            (Some("s"), Some("a"))
        );
        assert_eq!(asked.wait_ms, 5_000);
        let guard = asked.guard.unwrap();
        assert_eq!((guard.verdict.as_str(), guard.rules.len()), ("ask", 1));
        assert!(!guard.reason.is_empty());
        assert_eq!(
            asked_with("Bash", &json!({"command": "ls"})).unwrap().guard,
            None
        );
    }

    #[test]
    fn a_command_that_is_too_long_is_for_the_terminal() {
        let long = "x".repeat(COMMAND + 1);
        assert_eq!(asked_with("Bash", &json!({"command": long})), None);
        let many: Vec<String> = vec!["x".repeat(TEXT); 40];
        assert_eq!(asked_with("mcp__a__b", &json!({"all": many})), None);
    }

    #[test]
    fn other_long_texts_are_cut_and_a_file_has_its_whole_path() {
        let input = json!({"file_path": "b.txt", "content": "é".repeat(TEXT + 3)});
        let asked = asked_with("Write", &input).unwrap();
        assert_eq!(asked.subject, Some(Subject::Path("/p/b.txt".into())));
        let content = asked.input["content"].as_str().unwrap();
        assert!(content.ends_with("é… [3 more characters]"), "{content}");
        assert_eq!(asked.input_hash, input_hash(&input.to_string()));
    }
}
