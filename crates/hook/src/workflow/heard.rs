//! What an event says of tasks and of the team, in the words of the workflow.

use std::borrow::Cow;

use bellwether_protocol::event::{Agent, Event, Kind, TaskStatus, TaskStep, Tool, ToolKind};
use bellwether_spine::text;
use bellwether_workflow::{MemberState, OpenState};

/// Of a subject so much is kept, in characters.
const SUBJECT: usize = 200;
/// Of a name or an id.
const NAME: usize = 80;
/// How the id of a task begins that has none of its own: it is known by its words.
const BY_WORDS: char = '=';

/// Something that a workflow may want to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Heard {
    Created {
        id: String,
        subject: String,
    },
    Completed {
        id: String,
        subject: Option<String>,
        /// The model can be told by the answer to this event.
        tells: bool,
    },
    Changed {
        id: String,
        change: Change,
    },
    Deleted {
        id: String,
    },
    /// A member of the team works, or its turn has ended.
    Member {
        name: String,
        state: MemberState,
    },
    /// A member has nothing to do and can be given something.
    Idle {
        name: String,
    },
    SessionOver,
}

/// What becomes of a task.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Change {
    pub subject: Option<String>,
    pub owner: Option<String>,
    pub after: Vec<String>,
    pub before: Vec<String>,
    pub state: Option<OpenState>,
}

/// What an event says. Most say nothing, and cost nothing.
pub(super) fn heard(event: &Event<'_>, idle_is_told: bool) -> Vec<Heard> {
    match event.kind {
        Kind::PostToolUse => event.tool.as_ref().map(|tool| by_tool(event, tool)),
        Kind::TaskCreated => created(event),
        Kind::TaskCompleted => completed(event),
        Kind::SubagentStart => member(event).map(|name| vec![works(name)]),
        Kind::SubagentStop | Kind::Stop => {
            member(event).map(|name| vec![turn_over(event, name, idle_is_told)])
        }
        Kind::TeammateIdle => member(event).map(|name| vec![Heard::Idle { name }]),
        Kind::SessionEnd => Some(vec![Heard::SessionOver]),
        _ => None,
    }
    .unwrap_or_default()
}

fn works(name: String) -> Heard {
    let state = MemberState::Working;
    Heard::Member { name, state }
}

/// Where the client tells by an event of its own that a member has nothing to do, that one is waited for. An agent that a
/// hook has sent back to work is not sent again.
fn turn_over(event: &Event<'_>, name: String, idle_is_told: bool) -> Heard {
    if idle_is_told || event.stop_hook_active {
        let state = MemberState::Idle;
        return Heard::Member { name, state };
    }
    Heard::Idle { name }
}

/// The member of a team whose event it is.
fn member(event: &Event<'_>) -> Option<String> {
    let agent = event.agent.as_ref().filter(|agent| agent.teammate);
    name_of(agent?)
}

fn name_of(agent: &Agent<'_>) -> Option<String> {
    let filled = |text: &&Cow<'_, str>| !text.trim().is_empty();
    let own = agent.name.as_ref().filter(filled);
    let name = own.or_else(|| agent.kind.as_ref().filter(filled))?;
    Some(text::shown(name, NAME))
}

fn created(event: &Event<'_>) -> Option<Vec<Heard>> {
    let task = event.task.as_ref()?;
    let subject = text::shown(task.subject.as_deref()?, SUBJECT);
    let id = text::shown(task.id.as_deref()?, NAME);
    Some(vec![Heard::Created { id, subject }])
}

fn completed(event: &Event<'_>) -> Option<Vec<Heard>> {
    let task = event.task.as_ref()?;
    let subject = task.subject.as_deref();
    Some(vec![Heard::Completed {
        id: text::shown(task.id.as_deref()?, NAME),
        subject: subject.map(|subject| text::shown(subject, SUBJECT)),
        tells: false,
    }])
}

fn by_tool(event: &Event<'_>, tool: &Tool<'_>) -> Vec<Heard> {
    let on_board = tool.does == ToolKind::TaskBoard;
    let about_tasks = on_board || matches!(tool.does, ToolKind::TaskNew | ToolKind::TaskMove);
    if !about_tasks {
        return Vec::new();
    }
    let doer = event.agent.as_ref().filter(|agent| agent.teammate);
    let doer = doer.and_then(name_of);
    let steps = tool.task_steps();
    let heard = |step: &TaskStep<'_>| by_step(step, on_board, doer.as_deref());
    steps.iter().filter_map(heard).collect()
}

fn by_step(step: &TaskStep<'_>, on_board: bool, doer: Option<&str>) -> Option<Heard> {
    let subject = step.subject.as_deref();
    let subject = subject.map(|subject| text::shown(subject, SUBJECT));
    let id = match &subject {
        Some(words) if on_board => format!("{BY_WORDS}{words}"),
        _ => text::shown(step.id.as_deref()?, NAME),
    };
    let changed = |state: Option<OpenState>| {
        let owner = step.owner.as_deref().map(|owner| text::shown(owner, NAME));
        // Whoever begins a task is at it.
        let begins = state == Some(OpenState::Begun);
        let owner = owner.or_else(|| doer.filter(|_| begins).map(str::to_owned));
        let ids = |ids: &[Cow<'_, str>]| ids.iter().map(|id| text::shown(id, NAME)).collect();
        Heard::Changed {
            id: id.clone(),
            change: Change {
                subject: subject.clone(),
                owner,
                after: ids(&step.after),
                before: ids(&step.before),
                state,
            },
        }
    };
    Some(match step.status {
        TaskStatus::New => Heard::Created {
            id,
            subject: subject?,
        },
        TaskStatus::Done => Heard::Completed {
            id,
            subject,
            tells: true,
        },
        TaskStatus::Begun => changed(Some(OpenState::Begun)),
        TaskStatus::Pending => changed(Some(OpenState::Pending)),
        TaskStatus::Deleted => Heard::Deleted { id },
        TaskStatus::Changed => changed(None),
    })
}
