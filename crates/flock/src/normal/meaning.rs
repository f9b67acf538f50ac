//! What an event means to the flock. This is made of every event that is stored, so it is cheap: a
//! few words, each masked and bounded.

use std::borrow::Cow;

use bellwether_protocol::event::{self, Asked, Event, Kind, TaskStatus, Tool, ToolKind};
use bellwether_spine::meta::COMMIT_CHECKED;
use bellwether_spine::text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dialog::Dialog;
use super::event_type::EventType;
use super::identity::{Role, agent_id, filled, role};
use super::intake::ANSWERED;
use super::normalise::Severity;

/// As much is kept of what an agent works on.
const LABEL: usize = 120;
/// As much is kept of what the person is asked: a command should be seen whole.
const ASKED: usize = 400;
/// As much is kept of an error.
const ERROR: usize = 300;
/// As much is kept of a thought.
const THOUGHT: usize = 600;

/// So many background tasks of an agent are known, and counted.
const TASKS: usize = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Its turn ended; it stays.
    Turn,
    /// The person interrupted it; it stays.
    Interrupted,
    /// It has done what it was started for.
    Finished,
    /// It has gone.
    Left,
}

/// What comes after a failed tool call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum After {
    /// The agent hears of it and goes on by itself: so the client says.
    #[default]
    GoesOn,
    /// Nobody knows; somebody may have to look.
    Unsaid,
}

/// Which of the dialogs that its agent has open an event settles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Settles {
    #[default]
    Nothing,
    /// The one about the same tool call: it was answered, or the call has ended.
    Call,
    /// All of them: the batch of calls, the turn or the session is over, or the person has typed something.
    All,
}

/// A task, as far as an event tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskRef {
    pub id: Option<String>,
    pub subject: Option<String>,
}

/// Something that runs on after the turn that started it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackgroundTask {
    /// Its id, as the client names it.
    pub id: Option<String>,
    /// What kind of task it is: `shell`, ...
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// What it is for, or else the command that it runs.
    pub what: Option<String>,
}

/// An agent that a tool call starts, as far as the call tells.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NewAgent {
    /// Its id, once the client has told it.
    pub id: Option<String>,
    /// The name that it was given.
    pub name: Option<String>,
    /// Its type.
    pub kind: Option<String>,
    /// What it is started for, in a few words.
    pub about: Option<String>,
    /// The beginning of what it is told.
    pub prompt: Option<String>,
}

/// What an event means to the flock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meaning {
    pub kind: EventType,
    pub severity: Severity,
    /// The agent it happened to.
    pub agent: String,
    /// What that agent is to its session.
    pub role: Role,
    pub agent_type: Option<String>,
    /// The agent's name in its team.
    pub agent_name: Option<String>,
    pub team: Option<String>,
    /// The session that started this one.
    pub parent_session: Option<String>,
    pub ending: Option<Ending>,
    /// What comes after a failure.
    pub after: After,
    /// The task it is about.
    pub task: Option<TaskRef>,
    /// The agent that is written to.
    pub target: Option<String>,
    /// What the agent works on or waits for, in a few words.
    pub label: Option<String>,
    pub error: Option<String>,
    pub thinking: Option<String>,
    pub model: Option<String>,
    /// What its tool does.
    pub tool: Option<ToolKind>,
    /// The agent that its tool starts.
    pub starts: Option<NewAgent>,
    /// How long a tool ran.
    pub duration_ms: Option<u64>,
    /// The background tasks that run on.
    pub background: Vec<BackgroundTask>,
    /// The client confirms that the person is being waited for.
    pub confirmed: bool,
    /// What it puts before the person.
    pub dialog: Option<Box<Dialog>>,
    /// Which of the agent's dialogs it settles.
    pub settles: Settles,
    /// It shows that the agent is at work, whatever its type.
    pub at_work: bool,
}

impl Meaning {
    pub fn of(event: &Event<'_>) -> Self {
        let kind = type_of(event);
        let agent = event.agent.as_ref();
        let name = |text: Option<&Cow<'_, str>>| {
            filled(text.map(Cow::as_ref)).map(|text| text::shown(text, LABEL))
        };
        Self {
            kind,
            severity: severity(event, kind),
            agent: agent_id(event),
            role: role(event),
            agent_type: name(agent.and_then(|agent| agent.kind.as_ref())),
            agent_name: name(agent.and_then(|agent| agent.name.as_ref())),
            team: name(agent.and_then(|agent| agent.team.as_ref())),
            parent_session: event.parent_session.as_deref().map(str::to_owned),
            ending: ending(event, kind),
            after: after(event),
            task: task(event, kind),
            target: target(event),
            label: label(event, kind),
            error: error(event).map(|error| bounded(&error, ERROR)),
            thinking: event
                .thinking
                .as_deref()
                .map(|words| bounded(words, THOUGHT)),
            model: name(event.model.as_ref().and_then(|model| model.to.as_ref())),
            tool: event.tool.as_ref().map(|tool| tool.does),
            starts: event.tool.as_ref().and_then(starts),
            duration_ms: event.tool.as_ref().and_then(|tool| tool.duration_ms),
            background: background(event),
            confirmed: event.kind == Kind::Notification,
            dialog: Dialog::of(event).map(Box::new),
            settles: settles(event),
            at_work: matches!(
                event.kind,
                Kind::PreToolUse
                    | Kind::PostToolBatch
                    | Kind::PreCompact
                    | Kind::UserPromptExpansion
                    | Kind::MessageDisplay
            ) || [ANSWERED, COMMIT_CHECKED].contains(&event.shown_name()),
        }
    }

    /// What something means that was no event.
    pub(crate) fn of_nothing() -> Self {
        let mut meaning = Self::of(&Event::default());
        meaning.kind = EventType::SchemaError;
        meaning.severity = Severity::Warn;
        meaning
    }
}

fn starts(tool: &Tool<'_>) -> Option<NewAgent> {
    let agent = tool.started_agent()?;
    let words = |text: Option<&str>| filled(text).map(|text| bounded(text, LABEL));
    let prompt = words(agent.prompt.as_deref());
    Some(NewAgent {
        id: filled(agent.id.as_deref()).map(|id| text::shown_id(id).into_owned()),
        name: words(agent.name.as_deref()),
        kind: words(Some(&agent.kind)),
        about: words(agent.about.as_deref()).or_else(|| prompt.clone()),
        prompt,
    })
}

fn background(event: &Event<'_>) -> Vec<BackgroundTask> {
    let words =
        |text: &Option<Cow<'_, str>>| filled(text.as_deref()).map(|text| bounded(text, LABEL));
    let tasks = event.background_tasks.iter().take(TASKS);
    let task = |task: &event::BackgroundTask<'_>| BackgroundTask {
        id: words(&task.id),
        kind: words(&task.kind),
        what: words(&task.description).or_else(|| words(&task.command)),
    };
    tasks.map(task).collect()
}

/// The type of an event. Every kind stands here once; docs/flock.md has the same as a table.
pub(super) fn type_of(event: &Event<'_>) -> EventType {
    use EventType as T;
    match event.kind {
        Kind::SessionStart if event.detail.as_deref() == Some("compact") => T::Heartbeat,
        Kind::SessionStart | Kind::SubagentStart => T::AgentStarted,
        Kind::SubagentStop if role(event) == Role::Main && event.agent.is_some() => T::Heartbeat,
        Kind::SessionEnd | Kind::SubagentStop | Kind::Stop | Kind::TeammateIdle => T::AgentStopped,
        Kind::StopFailure => T::TaskFailed,
        Kind::PreToolUse => started(event.tool.as_ref()),
        Kind::PostToolUse | Kind::PostToolUseFailure if has_failed(event) => T::ToolFailed,
        Kind::PostToolUse | Kind::PostToolUseFailure => T::ToolSucceeded,
        Kind::PermissionRequest | Kind::Elicitation => T::AgentBlocked,
        Kind::UserPromptSubmit | Kind::PermissionDenied | Kind::ElicitationResult => {
            T::AgentUnblocked
        }
        Kind::Notification => notified(event.notification_type.as_deref()),
        Kind::TaskCreated => T::TaskCreated,
        Kind::TaskCompleted => T::TaskCompleted,
        Kind::PostToolBatch
        | Kind::UserPromptExpansion
        | Kind::PreCompact
        | Kind::PostCompact
        | Kind::MessageDisplay
        | Kind::Other => T::Heartbeat,
        Kind::PreModelSwitch
        | Kind::PostModelSwitch
        | Kind::Setup
        | Kind::ConfigChange
        | Kind::WorktreeCreate
        | Kind::WorktreeRemove
        | Kind::InstructionsLoaded
        | Kind::CwdChanged
        | Kind::FileChanged
        | Kind::DirectoryAdded => T::Notification,
    }
}

/// Tools run side by side, so another call of the same agent settles nothing; what ends them all does.
fn settles(event: &Event<'_>) -> Settles {
    match event.kind {
        Kind::PostToolUse
        | Kind::PostToolUseFailure
        | Kind::PermissionDenied
        | Kind::ElicitationResult => Settles::Call,
        Kind::Notification => match notified(event.notification_type.as_deref()) {
            EventType::AgentUnblocked => Settles::Call,
            _ => Settles::Nothing,
        },
        // A compaction may be another agent's, which the client does not say.
        Kind::SubagentStop | Kind::SessionStart if type_of(event) == EventType::Heartbeat => {
            Settles::Nothing
        }
        Kind::PostToolBatch
        | Kind::Stop
        | Kind::StopFailure
        | Kind::SubagentStop
        | Kind::TeammateIdle
        | Kind::UserPromptSubmit
        | Kind::SessionStart
        | Kind::SessionEnd => Settles::All,
        _ if event.shown_name() == ANSWERED => Settles::Call,
        _ => Settles::Nothing,
    }
}

fn has_failed(event: &Event<'_>) -> bool {
    event.kind == Kind::PostToolUseFailure || event.tool.as_ref().is_some_and(|tool| tool.failed)
}

/// Some tools say more than that they run. What the client tells by an event of its own is not told by the tool as well:
/// one finished task is finished once.
fn started(tool: Option<&Tool<'_>>) -> EventType {
    let told_apart = tool.is_some_and(|tool| tool.told_apart);
    if let Some(task) = tool.and_then(Tool::task) {
        return match task.status {
            TaskStatus::New if told_apart => EventType::ToolStarted,
            TaskStatus::Done if told_apart => EventType::TaskProgress,
            TaskStatus::New => EventType::TaskCreated,
            TaskStatus::Begun => EventType::TaskStarted,
            TaskStatus::Done => EventType::TaskCompleted,
            TaskStatus::Pending | TaskStatus::Deleted | TaskStatus::Changed => {
                EventType::TaskProgress
            }
        };
    }
    match tool.map(|tool| tool.does) {
        Some(ToolKind::Message) => EventType::MessageSent,
        _ => EventType::ToolStarted,
    }
}

fn notified(about: Option<&str>) -> EventType {
    match about {
        Some(
            "permission_prompt"
            | "agent_needs_input"
            | "elicitation_dialog"
            | "elicitation_url_dialog",
        ) => EventType::AgentBlocked,
        Some("elicitation_response" | "elicitation_complete") => EventType::AgentUnblocked,
        _ => EventType::Notification,
    }
}

fn severity(event: &Event<'_>, kind: EventType) -> Severity {
    match (event.level.as_deref(), kind) {
        (Some("error"), _) | (_, EventType::TaskFailed) => Severity::Error,
        (Some("warn"), _) | (_, EventType::ToolFailed | EventType::SchemaError) => Severity::Warn,
        (Some("info"), _) => Severity::Info,
        (Some("debug"), _) | (_, EventType::Heartbeat) => Severity::Debug,
        _ => Severity::Info,
    }
}

fn ending(event: &Event<'_>, kind: EventType) -> Option<Ending> {
    let interrupted = event.tool.as_ref().is_some_and(|tool| tool.interrupted);
    match (kind, event.kind) {
        (EventType::AgentStopped, Kind::Stop) if event.detail.as_deref() == Some("interrupted") => {
            Some(Ending::Interrupted)
        }
        (EventType::AgentStopped, Kind::Stop | Kind::TeammateIdle) => Some(Ending::Turn),
        // A teammate's stops repeat: each is the end of a turn.
        (EventType::AgentStopped, Kind::SubagentStop) if role(event) == Role::Teammate => {
            Some(Ending::Turn)
        }
        (EventType::AgentStopped, Kind::SubagentStop) => Some(Ending::Finished),
        (EventType::AgentStopped, _) => Some(Ending::Left),
        (EventType::ToolFailed, _) if interrupted => Some(Ending::Interrupted),
        // What the person asked for by hand is no turn; after it nobody works.
        (_, Kind::PostCompact) if event.detail.as_deref() == Some("manual") => Some(Ending::Turn),
        (_, Kind::Notification) if event.notification_type.as_deref() == Some("idle_prompt") => {
            Some(Ending::Turn)
        }
        _ => None,
    }
}

/// The client names its events `hook_event_name` and goes on after each failure; who sends a failure
/// under `PostToolUse` says nothing about that.
fn after(event: &Event<'_>) -> After {
    if event.kind == Kind::PostToolUseFailure {
        After::GoesOn
    } else {
        After::Unsaid
    }
}

pub(super) fn task(event: &Event<'_>, kind: EventType) -> Option<TaskRef> {
    let told = |text: Option<&str>| text.map(|text| text::shown(text, LABEL));
    if let Some(task) = &event.task {
        return Some(TaskRef {
            id: told(task.id.as_deref()),
            subject: told(task.subject.as_deref()),
        });
    }
    if kind == EventType::TaskFailed {
        let id = event.prompt_id.as_deref().or(event.session.as_deref());
        return Some(TaskRef {
            id: told(id),
            subject: None,
        });
    }
    let tool = event.tool.as_ref().filter(|_| is_about_task(kind))?;
    let task = tool.task()?;
    Some(TaskRef {
        id: told(task.id.as_deref()),
        subject: told(task.subject.as_deref()),
    })
}

pub(super) fn is_about_task(kind: EventType) -> bool {
    use EventType::{TaskCompleted, TaskCreated, TaskFailed, TaskProgress, TaskStarted};
    matches!(
        kind,
        TaskCreated | TaskStarted | TaskProgress | TaskCompleted | TaskFailed
    )
}

fn target(event: &Event<'_>) -> Option<String> {
    let tool = event.tool.as_ref()?;
    (event.kind == Kind::PreToolUse).then_some(())?;
    Some(text::shown(&tool.recipient()?, LABEL))
}

/// What the agent works on or waits for.
fn label(event: &Event<'_>, kind: EventType) -> Option<String> {
    let most = match kind {
        EventType::AgentBlocked => ASKED,
        _ => LABEL,
    };
    // An event of our own says in words what came of a tool call.
    let own = event
        .message
        .as_deref()
        .filter(|_| event.kind == Kind::Other);
    if let Some(words) = filled(own) {
        return Some(bounded(words, most));
    }
    if let Some(tool) = &event.tool {
        // A question says more than the name of the tool that puts it.
        if let Some(Asked::Question(question)) = tool.asked() {
            return Some(bounded(&question, most));
        }
        let words = match tool.telling() {
            Some(on) => format!("{}: {}", tool.name, beginning(&on, most * 4)),
            None => tool.name.to_string(),
        };
        return Some(text::shown(&words, most));
    }
    let words = match kind {
        EventType::AgentBlocked
        | EventType::AgentUnblocked
        | EventType::AgentStarted
        | EventType::AgentStopped
        | EventType::TaskFailed => event.message.as_deref(),
        _ => event
            .task
            .as_ref()
            .and_then(|task| task.subject.as_deref())
            .or(event.title.as_deref())
            .or(event.message.as_deref()),
    };
    filled(words).map(|words| bounded(words, most))
}

fn error<'a>(event: &Event<'a>) -> Option<Cow<'a, str>> {
    let tool = event.tool.as_ref().and_then(|tool| tool.error.clone());
    let turn = (event.kind == Kind::StopFailure)
        .then(|| event.message.clone().or_else(|| event.detail.clone()))
        .flatten();
    tool.or(turn)
}

/// One line, masked. Only so much is looked at that the line can hold, however long the text is.
fn bounded(words: &str, max: usize) -> String {
    text::shown(beginning(words, max * 4), max)
}

/// The beginning of a text, cut between characters.
pub(super) fn beginning(words: &str, bytes: usize) -> &str {
    let mut end = bytes.min(words.len());
    while !words.is_char_boundary(end) {
        end -= 1;
    }
    &words[..end]
}

#[cfg(test)]
mod tests {
    use bellwether_protocol::client::Client;

    use super::*;
    use crate::normal::{Sender, intake};

    /// The page for people has every kind of event, with its type.
    #[test]
    fn the_page_says_the_same() {
        let page = include_str!("../../../../docs/flock.md");
        for &kind in Kind::ALL {
            let event = Event {
                kind,
                ..Event::default()
            };
            let row = format!("| `{kind}` | `{}` |", type_of(&event));
            assert!(page.contains(&row), "docs/flock.md has no line {row}");
        }
    }

    #[test]
    fn every_recorded_payload_is_an_event_of_somebody() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../protocol/fixtures/payloads");
        let mut count = 0;
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let taken = intake(&text, Sender::Other);
            assert_eq!(taken.invalid, None, "{}", path.display());
            let event = Client::default().parse(&text).unwrap();
            let own = event.agent.as_ref().and_then(|agent| agent.id.as_deref());
            let expected = own.or(event.session.as_deref()).unwrap();
            let compaction = path.to_string_lossy().contains("SubagentStop-.");
            if !compaction {
                assert_eq!(taken.row.meaning.agent, expected, "{}", path.display());
            }
            count += 1;
        }
        assert!(count >= 80, "{count}");
    }

    fn of(payload: &str) -> Meaning {
        let taken = intake(payload, Sender::Other);
        assert_eq!(taken.invalid, None, "{payload}");
        taken.row.meaning
    }

    #[test]
    fn a_level_is_a_severity() {
        for (level, severity) in [
            ("error", Severity::Error),
            ("warn", Severity::Warn),
            ("info", Severity::Info),
            ("debug", Severity::Debug),
            ("loud", Severity::Info),
        ] {
            let payload =
                format!(r#"{{"hook_type":"Notification","message":"m","level":"{level}"}}"#);
            assert_eq!(of(&payload).severity, severity, "{level}");
        }
    }

    #[test]
    fn a_run_is_the_client_s_prompt_or_what_a_sender_calls_it() {
        for (fields, run) in [
            (r#""run_id":"r""#, Some("r")),
            (r#""prompt_id":"p""#, Some("p")),
            (r#""prompt_id":"p","run_id":"r""#, Some("p")),
            (r#""session_id":"s""#, None),
        ] {
            let payload = format!(r#"{{"hook_type":"Stop",{fields}}}"#);
            let record = intake(&payload, Sender::Other).row.record;
            let normal = crate::normal::normalise(&record).unwrap();
            assert_eq!(normal.run_id.as_deref(), run, "{fields}");
        }
    }

    #[test]
    fn a_task_s_id_may_be_a_number() {
        for (name, id) in [("taskId", "7"), ("taskId", "\"7\""), ("task_id", "7")] {
            let payload = format!(
                r#"{{"hook_type":"PreToolUse","tool_name":"TaskUpdate","tool_input":{{"{name}":{id}}}}}"#
            );
            let task = of(&payload).task.unwrap();
            assert_eq!(task.id.as_deref(), Some("7"), "{payload}");
            let payload = format!(r#"{{"hook_event_name":"TaskCompleted","{name}":{id}}}"#);
            let task = of(&payload).task.unwrap();
            assert_eq!(task.id.as_deref(), Some("7"), "{payload}");
        }
        for id in ["{}", "[7]", "true", "7.5", "-7"] {
            let payload = format!(r#"{{"hook_event_name":"TaskCompleted","task_id":{id}}}"#);
            assert!(intake(&payload, Sender::Other).invalid.is_some(), "{id}");
        }
    }

    /// What is told by an event, the client's own or one that stands in for it, is not told by the tool as well. Who sends
    /// neither tells by the tool.
    #[test]
    fn one_finished_task_is_finished_once() {
        let version = |text: &str| bellwether_protocol::client::Version::parse(text).unwrap();
        let product = Client::default().product;
        let (new, old) = (
            Client::new(product, version("2.1.100")),
            Client::new(product, version("2.1.30")),
        );
        let call = |field: &str, tool: &str| {
            format!(
                r#"{{"{field}":"PreToolUse","session_id":"s","tool_name":"{tool}","tool_input":{{"taskId":"1","status":"completed"}}}}"#
            )
        };
        let by_tool = |client: Client, field: &str, tool: &str| {
            let payload = call(field, tool);
            Meaning::of(&client.parse(&payload).unwrap()).kind
        };
        let own = "hook_event_name";
        for (client, field, tool, kind) in [
            (new, own, "TaskUpdate", EventType::TaskProgress),
            (new, own, "TaskCreate", EventType::ToolStarted),
            // There a stand-in tells it, once the tool has run.
            (old, own, "TaskUpdate", EventType::TaskProgress),
            (old, own, "TaskCreate", EventType::ToolStarted),
            (old, "hook_type", "TaskUpdate", EventType::TaskCompleted),
            (
                Client::default(),
                own,
                "TaskUpdate",
                EventType::TaskProgress,
            ),
            (
                Client::default(),
                "hook_type",
                "TaskUpdate",
                EventType::TaskCompleted,
            ),
            (
                Client::default(),
                "hook_type",
                "TaskCreate",
                EventType::TaskCreated,
            ),
        ] {
            assert_eq!(
                by_tool(client, field, tool),
                kind,
                "{client} {field} {tool}"
            );
        }
        let told = r#"{"hook_event_name":"TaskCompleted","session_id":"s","task_id":"1"}"#;
        assert_eq!(of(told).kind, EventType::TaskCompleted);
    }

    #[test]
    fn what_agents_are_called_and_do_is_masked() {
        let secret = "ghp_0123456789abcdefghijABCDEFGHIJ";
        let payload = format!(
            r#"{{"hook_event_name":"PreToolUse","session_id":"s","agent_type":"{secret}","agent_id":"a","tool_name":"Bash","tool_input":{{"command":"curl -H 'x: {secret}'"}},"thinking":"{secret}"}}"#
        );
        let meaning = Meaning::of(&Client::default().parse(&payload).unwrap());
        assert!(
            !format!("{meaning:?}").contains("0123456789abcdef"),
            "{meaning:?}"
        );
    }
}
