//! What an agent has to say or to ask, as a bubble.

use crate::drawn::{Answering, Bubble, Deed, Tone};
use crate::flock::{Agent, Dialog, Flock, Permission};
use crate::settings::Settings;

/// A bubble that does not ask holds as much of a text.
const SAID: usize = 160;

/// What an agent has to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Talk {
    pub bubble: Bubble,
    /// The request that its buttons answer.
    pub request: Option<String>,
    /// Whether it stays until it is answered.
    pub asks: bool,
}

impl Talk {
    pub(super) fn of(agent: &Agent, flock: &Flock, settings: &Settings) -> Option<Self> {
        let requests = flock.permissions_of(&agent.agent_id);
        let mut requests: Vec<&Permission> = requests.collect();
        if !requests.is_empty() {
            let first = requests.remove(0);
            return Some(Self::about_request(agent, first, requests.len(), settings));
        }
        if agent.needs_you() {
            return Some(Self::about_dialog(agent, settings));
        }
        Self::said(agent)
    }

    /// A request that waits for an answer here and in the terminal.
    fn about_request(
        agent: &Agent,
        request: &Permission,
        more: usize,
        settings: &Settings,
    ) -> Self {
        let dialog = agent.dialogs.first();
        let is_open = settings.answer && !request.only_in_terminal;
        let answer: &[Deed] = if is_open {
            &[Deed::Allow, Deed::Deny]
        } else {
            &[]
        };
        let what = dialog.and_then(|dialog| dialog.what.clone());
        let command = request.command.clone().or(what);
        let bubble = Bubble {
            title: title(agent),
            text: request.tool.clone(),
            command,
            tone: Tone::Ask,
            buttons: [answer, &[Deed::Terminal]].concat(),
            answering: if is_open {
                Answering::Open
            } else {
                Answering::OnlyInTerminal
            },
            more: u32::try_from(more).unwrap_or(u32::MAX),
            ..Bubble::default()
        };
        Self {
            bubble,
            request: is_open.then(|| request.id.clone()),
            asks: true,
        }
    }

    /// A dialog in the terminal that nobody can answer from here.
    fn about_dialog(agent: &Agent, settings: &Settings) -> Self {
        let dialog = agent.dialogs.first();
        let more = agent.dialogs.len().saturating_sub(1);
        let questions = dialog
            .map(|dialog| dialog.questions.as_slice())
            .unwrap_or_default();
        let (text, command, choices) = match (questions, dialog) {
            ([first, rest @ ..], _) => {
                let choices = first.choices.iter().map(|choice| choice.label.clone());
                let text = [
                    first.question.as_str(),
                    if rest.is_empty() { "" } else { "…" },
                ]
                .concat();
                (text, None, choices.collect())
            }
            (
                [],
                Some(Dialog {
                    tool: Some(tool),
                    what,
                    ..
                }),
            ) => (tool.clone(), what.clone(), Vec::new()),
            (
                [],
                Some(Dialog {
                    what: Some(what), ..
                }),
            ) => (what.clone(), None, Vec::new()),
            ([], _) => (waits_for(agent, settings), None, Vec::new()),
        };
        let bubble = Bubble {
            title: title(agent),
            text,
            command,
            choices,
            tone: Tone::Ask,
            buttons: vec![Deed::Terminal],
            answering: Answering::OnlyInTerminal,
            more: u32::try_from(more).unwrap_or(u32::MAX),
            ..Bubble::default()
        };
        Self {
            bubble,
            request: None,
            asks: true,
        }
    }

    /// What it says by itself, if anything.
    fn said(agent: &Agent) -> Option<Self> {
        let refused = agent
            .refused
            .as_ref()
            .and_then(|refusal| refusal.what.as_ref());
        let (tone, text) = match (agent.status.as_str(), refused) {
            ("working" | "thinking", Some(what)) => (Tone::Refused, Some(what)),
            ("failed", _) => (Tone::Bad, agent.bubble.as_ref()),
            ("completed" | "idle", _) => (Tone::Good, agent.bubble.as_ref()),
            ("working" | "thinking" | "appearing" | "startled", None) => (
                Tone::Work,
                agent.current_task.as_ref().or(agent.bubble.as_ref()),
            ),
            _ => (Tone::Calm, None),
        };
        let text = text.filter(|text| !text.trim().is_empty())?;
        let bubble = Bubble {
            title: title(agent),
            text: beginning(text),
            tone,
            ..Bubble::default()
        };
        Some(Self {
            bubble,
            request: None,
            asks: false,
        })
    }
}

fn waits_for(agent: &Agent, settings: &Settings) -> String {
    let said = agent.waits_for.as_ref().or(agent.bubble.as_ref());
    said.cloned()
        .unwrap_or_else(|| settings.words().waits_for_you.to_owned())
}

/// Who it is: a subagent by its name, and the project.
fn title(agent: &Agent) -> String {
    let project = agent.project();
    match (agent.parent_id.is_some(), project) {
        (_, "") => agent.display_name.clone(),
        (true, project) => format!("{} · {project}", agent.display_name),
        (false, project) => project.to_owned(),
    }
}

fn beginning(text: &str) -> String {
    match text.char_indices().nth(SAID) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flock::tests::agent;
    use crate::flock::{Choice, Question, Refusal};

    fn request(id: &str, only_in_terminal: bool) -> Permission {
        Permission {
            id: id.into(),
            agent_id: Some("a".into()),
            tool: "Bash".into(),
            command: Some("git push".into()),
            only_in_terminal,
        }
    }

    fn answering() -> Settings {
        Settings {
            answer: true,
            ..Settings::default()
        }
    }

    #[test]
    fn a_request_is_answered_here_only_where_that_is_allowed() {
        let agent = agent("a", None, "pending_input", 1);
        let mut flock = Flock::default();
        flock.replace(
            vec![agent.clone()],
            vec![request("1", false), request("2", false)],
        );
        let talk = Talk::of(&agent, &flock, &answering()).unwrap();
        assert_eq!(talk.request.as_deref(), Some("1"));
        assert_eq!(
            talk.bubble.buttons,
            [Deed::Allow, Deed::Deny, Deed::Terminal]
        );
        assert_eq!(
            (talk.bubble.command.as_deref(), talk.bubble.more),
            (Some("git push"), 1)
        );
        let off = Talk::of(&agent, &flock, &Settings::default()).unwrap();
        assert_eq!(
            (off.request, off.bubble.buttons),
            (None, vec![Deed::Terminal])
        );
        flock.replace(vec![agent.clone()], vec![request("1", true)]);
        let background = Talk::of(&agent, &flock, &answering()).unwrap();
        assert_eq!(
            (background.request, background.bubble.buttons),
            (None, vec![Deed::Terminal])
        );
    }

    #[test]
    fn a_question_is_shown_with_its_choices() {
        let mut agent = agent("a", None, "pending_input", 1);
        let choice = |label: &str| Choice {
            label: label.into(),
        };
        let question = Question {
            question: "Which colour?".into(),
            choices: vec![choice("red"), choice("blue")],
        };
        agent.dialogs = vec![Dialog {
            tool: Some("AskUserQuestion".into()),
            what: None,
            questions: vec![question],
        }];
        let talk = Talk::of(&agent, &Flock::default(), &answering()).unwrap();
        assert_eq!(talk.bubble.text, "Which colour?");
        assert_eq!(talk.bubble.choices, ["red", "blue"]);
        assert!(talk.asks && talk.request.is_none());
    }

    #[test]
    fn what_is_said_has_a_tone_and_an_end() {
        let mut agent = agent("a", Some("p"), "working", 1);
        let talk = |agent: &Agent| Talk::of(agent, &Flock::default(), &answering());
        assert_eq!(talk(&agent), None, "it says nothing");
        agent.current_task = Some("x".repeat(500));
        let said = talk(&agent).unwrap();
        assert_eq!((said.bubble.tone, said.asks), (Tone::Work, false));
        assert_eq!(said.bubble.text.chars().count(), SAID + 1);
        assert_eq!(said.bubble.title, "a · shop");
        agent.refused = Some(Refusal {
            what: Some("rm -rf ~".into()),
        });
        assert_eq!(talk(&agent).unwrap().bubble.tone, Tone::Refused);
        agent.status = "failed".into();
        agent.bubble = Some("no network".into());
        assert_eq!(talk(&agent).unwrap().bubble.tone, Tone::Bad);
    }
}
