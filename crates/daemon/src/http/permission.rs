//! A permission request as the page shows it.

use bellwether_flock::StoreReader as _;
use bellwether_spine::permission::{Subject, View};
use bellwether_spine::text;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::state::State;
use crate::permissions::{Place, Request};

/// Names and paths are no longer than this.
const NAME: usize = 1000;

/// A permission request that waits. Everything in it is masked.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PermissionView {
    /// Its id: that of its event.
    id: String,
    /// The session.
    session_id: Option<String>,
    /// The agent.
    agent_id: Option<String>,
    /// The agent's name.
    display_name: Option<String>,
    /// The tool.
    tool: String,
    /// What it would be called with; long texts in it are cut.
    input: Value,
    /// The command, when it is one: all of it.
    command: Option<String>,
    /// The project's folder.
    project: Option<String>,
    /// Since when it waits, milliseconds since 1970.
    asked_ms: u64,
    /// Until when it can be answered here; the terminal can be longer.
    until_ms: u64,
    /// Whether only the terminal can answer it: for an agent in the background Claude Code asks in one place alone.
    only_in_terminal: bool,
    /// What the guard says about it.
    guard: Option<GuardView>,
    /// Whether `for_seconds` can be given with the answer: the guard asks.
    can_allow_for: bool,
}

/// What the guard says about a tool call.
#[derive(Debug, Serialize, JsonSchema)]
struct GuardView {
    /// `ask` or `deny`.
    verdict: String,
    /// How bad it would be: `low`, `medium`, `high` or `critical`.
    severity: String,
    /// The rules that are against it.
    rules: Vec<String>,
    /// Why.
    reason: String,
    /// What would be lost.
    lost: Vec<String>,
    /// What does the job safely.
    instead: Option<String>,
}

impl PermissionView {
    /// A request, with the name that its agent has in the store.
    pub(crate) async fn of(request: &Request, state: &State) -> Self {
        let id = request.agent.clone();
        let agent = state.library.read(move |reader| reader.agent(&id)).await;
        let name = agent.ok().flatten().map(|agent| agent.display_name);
        Self::named(request, name)
    }

    fn named(request: &Request, display_name: Option<String>) -> Self {
        let asked = &request.asked;
        let shown = |text: &String| text::shown(text, NAME);
        let command = match &asked.subject {
            Some(Subject::Command(command)) => Some(text::shown_block(command)),
            _ => None,
        };
        Self {
            id: asked.id.clone(),
            session_id: asked.session.as_ref().map(shown),
            agent_id: Some(shown(&request.agent)),
            display_name,
            tool: shown(&asked.tool),
            input: text::shown_json(&asked.input),
            command,
            project: asked.project.as_ref().map(shown),
            asked_ms: request.since_ms,
            until_ms: request.until_ms,
            only_in_terminal: request.place == Place::Terminal,
            can_allow_for: can_allow_for(request),
            guard: asked.guard.as_ref().map(GuardView::from),
        }
    }
}

impl From<&View> for GuardView {
    fn from(view: &View) -> Self {
        let shown = |text: &String| text::shown(text, NAME);
        Self {
            verdict: shown(&view.verdict),
            severity: shown(&view.severity),
            rules: view.rules.iter().map(shown).collect(),
            reason: shown(&view.reason),
            lost: view.lost.iter().map(shown).collect(),
            instead: view.instead.as_ref().map(shown),
        }
    }
}

/// Whether the guard asks about it, and it is about something that can be allowed for a while.
pub(crate) fn can_allow_for(request: &Request) -> bool {
    let asks = |view: &View| view.verdict == "ask";
    request.asked.guard.as_ref().is_some_and(asks) && request.asked.subject.is_some()
}

#[cfg(test)]
mod tests {
    use bellwether_spine::permission::Asked;
    use serde_json::json;

    use super::*;

    fn request(asked: Asked) -> Request {
        Request {
            asked,
            agent: "a".into(),
            since_ms: 1,
            until_ms: 2,
            place: Place::Both,
        }
    }

    #[test]
    fn nothing_that_is_shown_has_a_secret_in_it_or_misleads() {
        let command = "export API_TOKEN=hunter2hunter2\nrm \u{202e}x";
        let view = PermissionView::named(
            &request(Asked {
                tool: "Bash".into(),
                input: json!({"command": command, "password": "hunter2hunter2"}),
                subject: Some(Subject::Command(command.into())),
                ..Asked::default()
            }),
            None,
        );
        let text = serde_json::to_string(&view).unwrap();
        assert!(
            !text.contains("hunter2") && !text.contains('\u{202e}'),
            "{text}"
        );
        assert!(view.command.unwrap().ends_with("\nrm x"));
    }

    #[test]
    fn only_a_question_of_the_guard_can_be_allowed_for_a_while() {
        let can = |verdict: &str, subject: Option<Subject>| {
            can_allow_for(&request(Asked {
                guard: Some(View {
                    verdict: verdict.into(),
                    ..View::default()
                }),
                subject,
                ..Asked::default()
            }))
        };
        let command = || Some(Subject::Command("x".into()));
        assert!(can("ask", command()));
        assert!(!can("deny", command()));
        assert!(!can("ask", None));
        assert!(!can_allow_for(&request(Asked::default())));
    }
}
