//! Takes what was heard into the status file, under its lock, and says what is to be answered.

use std::time::Duration;

use bellwether_protocol::event::Kind;
use bellwether_protocol::reply::{Decision, Reply};
use bellwether_spine::Home;
use bellwether_spine::trouble::Troubles;
use bellwether_workflow::{
    By, Engine, MemberState, Moved, Outcome, Status, StatusFile, Task, TaskChange, WorkflowError,
    told,
};

use super::config::{Config, SECTION};
use super::desk::{Desk, event_of};
use super::heard::{Change, Heard, heard};
use crate::answer::{Doing, Work, Worked};
use crate::handlers::{Context, troubles};

/// How long others are waited for. Fifty at once take a tenth of this.
const PATIENCE: Duration = Duration::from_secs(2);
/// The model is told less than 500 characters, whatever happens at once.
const LONGEST_CONTEXT: usize = 499;

/// What is to be done about an event, if its project has a workflow that counts.
pub(crate) fn work(context: Context<'_>) -> Option<Work<'_>> {
    let idle_is_told = context.registered.entry(Kind::TeammateIdle).is_some();
    let heard = heard(context.event, idle_is_told);
    (!heard.is_empty()).then_some(())?;
    let project = crate::project_of(context.event, context.client)?;
    let file = StatusFile::of(&project);
    file.exists().then_some(())?;
    let config: Config = context.settings.section(SECTION);
    config.enabled.then_some(())?;
    Some(Work {
        about: "take it into the workflow's status",
        act: Box::new(move |doing| match Desk::new(project, config) {
            Ok(desk) => Office { context, desk }.take(&heard, doing),
            Err(error) => failed(context.home, &heard, &error, doing),
        }),
    })
}

/// One event in a project with a workflow.
struct Office<'a> {
    context: Context<'a>,
    desk: Desk,
}

/// What came of all that was heard.
#[derive(Default)]
struct Results {
    contexts: Vec<String>,
    messages: Vec<String>,
    given: Option<Task>,
    moved: Vec<(Moved, String)>,
}

impl Office<'_> {
    fn take(&self, heard: &[Heard], doing: Doing) -> Worked {
        let taken = match doing {
            Doing::Really => self.desk.change(PATIENCE, None, |engine, status| {
                Ok(self.hear(heard, engine, status))
            }),
            Doing::OnPaper => self.desk.read().map(|mut opened| {
                self.desk
                    .with(|engine| self.hear(heard, engine, &mut opened.status))
            }),
        };
        match taken {
            Ok(results) => self.worked(&results),
            Err(error) => failed(self.context.home, heard, &error, doing),
        }
    }

    fn hear(&self, heard: &[Heard], engine: &Engine<'_>, status: &mut Status) -> Results {
        let mut results = Results::default();
        for one in heard {
            self.hear_one(engine, one, status, &mut results);
        }
        results
    }

    fn hear_one(
        &self,
        engine: &Engine<'_>,
        heard: &Heard,
        status: &mut Status,
        results: &mut Results,
    ) {
        let session = self.session();
        let steps = status.history.len();
        let outcome = match heard {
            Heard::Created { id, subject } => engine.create(status, session, id, subject),
            Heard::Completed { id, subject, .. } => {
                engine.complete(status, session, id, subject.as_deref())
            }
            other => {
                self.hear_plain(other, status, engine.now_ms, results);
                return;
            }
        };
        if let Heard::Completed { tells: true, .. } = heard {
            let told = told(engine, status, session, &outcome);
            results.contexts.extend(told.context);
            results.messages.extend(told.message);
        }
        // What was counted before has been told before.
        if status.history.len() > steps
            && let Some(moved) = Moved::of(&outcome, By::Task)
        {
            results.moved.push((moved, message(&outcome)));
        }
    }

    fn hear_plain(&self, heard: &Heard, status: &mut Status, now_ms: u64, results: &mut Results) {
        let session = self.session();
        match heard {
            Heard::Changed { id, change } => status.change_task(session, id, &borrowed(change)),
            Heard::Deleted { id } => drop(status.delete_task(session, id)),
            Heard::Member { name, state } => drop(status.member_is(session, name, *state, now_ms)),
            Heard::Idle { name } if self.desk.config.team => {
                results.given = status.give_task(session, name, now_ms);
            }
            Heard::Idle { name } => {
                status.member_is(session, name, MemberState::Idle, now_ms);
            }
            Heard::SessionOver => drop(status.end_session(session)),
            Heard::Created { .. } | Heard::Completed { .. } => {}
        }
    }

    fn session(&self) -> &str {
        self.context.event.session.as_deref().unwrap_or_default()
    }

    fn worked(&self, results: &Results) -> Worked {
        let joined = |lines: &[String]| Some(lines.join("\n")).filter(|text| !text.is_empty());
        let context = joined(&results.contexts);
        let message = joined(&results.messages);
        let events = results.moved.iter().map(|(moved, message)| {
            event_of(
                self.context.event.session.as_deref(),
                &self.desk.project,
                moved,
                message,
            )
        });
        Worked {
            events: events.collect(),
            reply: Reply {
                decision: results.given.as_ref().map(next_task),
                context: context.map(|text| text.chars().take(LONGEST_CONTEXT).collect()),
                message: message.map(|text| format!("bellwether: {text}")),
            },
        }
    }
}

/// The agent goes on as if there were no workflow; the person is told.
fn failed(home: &Home, heard: &[Heard], error: &WorkflowError, doing: Doing) -> Worked {
    let text = format!("the workflow was not moved along: {error}");
    if doing == Doing::Really {
        let _ = Troubles(home).note("workflow_not_moved", &text);
    }
    let tells = |heard: &Heard| matches!(heard, Heard::Completed { tells: true, .. });
    Worked {
        reply: Reply {
            message: heard.iter().any(tells).then(|| troubles::line(&text)),
            ..Reply::default()
        },
        events: Vec::new(),
    }
}

fn message(outcome: &Outcome) -> String {
    bellwether_workflow::short(outcome).unwrap_or_default()
}

fn borrowed(change: &Change) -> TaskChange<'_> {
    TaskChange {
        subject: change.subject.as_deref(),
        owner: change.owner.as_deref(),
        after: change.after.iter().map(String::as_str).collect(),
        before: change.before.iter().map(String::as_str).collect(),
        state: change.state,
    }
}

/// What a member of the team hears instead of being left idle.
fn next_task(task: &Task) -> Decision {
    Decision::Block(format!(
        "Next task: {:?} (task {} on the list). Make yourself its owner, begin it now, and complete it when it is done.",
        task.subject, task.id
    ))
}
