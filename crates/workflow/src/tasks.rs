//! The tasks on the agents' lists: what each is called, and what has become of it.

use serde::{Deserialize, Serialize};

use crate::flow::Flow;
use crate::status::Status;
use crate::subject::{known, new_name, tagged};

/// So many are kept. Those that are done go first, the oldest before the others.
const KEPT: usize = 200;

/// A task of one list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// The session whose list it is on.
    pub session: String,
    pub id: String,
    pub subject: String,
    pub state: TaskState,
    /// Who it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The tasks that come first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
    /// How often it was given to somebody who had nothing to do.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub given: u8,
    /// The member of the team that has it and has not begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given_to: Option<String>,
    /// The step in the history that its completion was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u64>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(count: &u8) -> bool {
    *count == 0
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskState {
    Pending,
    Begun,
    Done,
}

/// What becomes of a task, short of its completion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskChange<'a> {
    pub subject: Option<&'a str>,
    pub owner: Option<&'a str>,
    /// The tasks that come first, beside those that are known.
    pub after: Vec<&'a str>,
    /// The tasks that come later.
    pub before: Vec<&'a str>,
    pub state: Option<OpenState>,
}

/// The states of a task that is not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenState {
    Pending,
    Begun,
}

/// How far a list of tasks has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Progress {
    pub total: usize,
    pub done: usize,
    pub begun: usize,
    pub pending: usize,
}

impl Progress {
    pub(crate) fn count(&mut self, state: TaskState) {
        self.total += 1;
        match state {
            TaskState::Pending => self.pending += 1,
            TaskState::Begun => self.begun += 1,
            TaskState::Done => self.done += 1,
        }
    }
}

impl Task {
    pub(crate) fn is_on(&self, session: &str) -> bool {
        self.session == session
    }

    fn is(&self, session: &str, id: &str) -> bool {
        self.id == id && self.is_on(session)
    }

    fn comes_after(&mut self, id: &str) {
        if !self.after.iter().any(|known| known == id) {
            self.after.push(id.to_owned());
        }
    }

    /// One that is opened again can be completed again.
    fn set_open(&mut self, state: OpenState) {
        self.state = match state {
            OpenState::Pending => TaskState::Pending,
            OpenState::Begun => TaskState::Begun,
        };
        self.given_to = None;
        self.step = None;
    }
}

impl Status {
    pub fn task(&self, session: &str, id: &str) -> Option<&Task> {
        self.tasks.iter().find(|task| task.is(session, id))
    }

    pub(crate) fn task_mut(&mut self, session: &str, id: &str) -> Option<&mut Task> {
        self.tasks.iter_mut().find(|task| task.is(session, id))
    }

    /// The task, which is put on its list if nothing was heard of it before. A subject that comes later counts.
    pub(crate) fn note_task(&mut self, session: &str, id: &str, subject: Option<&str>) {
        if let Some(task) = self.task_mut(session, id) {
            if let Some(subject) = subject {
                subject.clone_into(&mut task.subject);
            }
            return;
        }
        self.make_room();
        self.tasks.push(Task {
            session: session.to_owned(),
            id: id.to_owned(),
            subject: subject.unwrap_or_default().to_owned(),
            state: TaskState::Pending,
            owner: None,
            after: Vec::new(),
            given: 0,
            given_to: None,
            step: None,
        });
    }

    /// A task has changed. One that is done stays so unless a state is named.
    pub fn change_task(&mut self, session: &str, id: &str, change: &TaskChange<'_>) {
        self.note_task(session, id, change.subject);
        if let Some(task) = self.task_mut(session, id) {
            if let Some(owner) = change.owner {
                task.owner = Some(owner.to_owned()).filter(|owner| !owner.is_empty());
            }
            for other in &change.after {
                task.comes_after(other);
            }
            if let Some(state) = change.state {
                task.set_open(state);
            }
        }
        for later in &change.before {
            if let Some(task) = self.task_mut(session, later) {
                task.comes_after(id);
            }
        }
    }

    fn make_room(&mut self) {
        while self.tasks.len() >= KEPT {
            let done = |task: &Task| task.state == TaskState::Done;
            let oldest = self.tasks.iter().position(done).unwrap_or(0);
            self.tasks.remove(oldest);
        }
    }

    /// A task is gone from its list.
    pub fn delete_task(&mut self, session: &str, id: &str) -> bool {
        let before = self.tasks.len();
        self.tasks.retain(|task| !task.is(session, id));
        self.tasks.len() < before
    }

    /// Whether everything that comes before a task is done.
    pub(crate) fn is_free(&self, task: &Task) -> bool {
        let open = |id: &String| {
            let before = self.task(&task.session, id);
            before.is_some_and(|before| before.state != TaskState::Done)
        };
        !task.after.iter().any(open)
    }

    /// The tasks of a session that belong to a phase of a feature.
    pub(crate) fn tasks_of<'a>(
        &'a self,
        flow: &'a Flow,
        session: &'a str,
        feature: &'a str,
        phase: &'a str,
    ) -> impl Iterator<Item = &'a Task> {
        let fits = move |task: &&Task| {
            let says = tagged(&task.subject, flow).filter(|says| says.phase.name == phase);
            says.is_some_and(|says| {
                let about = known(&says.rest, self.features.keys());
                about.map_or_else(|| new_name(&says.rest), String::as_str) == feature
            })
        };
        let on_list = self.tasks.iter().filter(move |task| task.is_on(session));
        on_list.filter(fits)
    }

    /// How far the tasks of a session have come, or those of all.
    pub fn progress(&self, session: Option<&str>) -> Progress {
        let mut progress = Progress::default();
        let counted = |task: &&Task| session.is_none_or(|session| task.is_on(session));
        for task in self.tasks.iter().filter(counted) {
            progress.count(task.state);
        }
        progress
    }
}
