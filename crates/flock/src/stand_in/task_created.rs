//! A task is on the list when the call that puts it there has run.

use std::borrow::Cow;

use bellwether_protocol::event::{Event, Kind, Task, TaskStatus, TaskStep, ToolKind};

use super::{Place, Told};

pub(super) const KIND: Kind = Kind::TaskCreated;
pub(super) const PLACE: Place = Place::Before;

pub(super) fn tell<'a>(told: &Told<'a>) -> Vec<Event<'a>> {
    steps(told, KIND, TaskStatus::New)
}

/// An event for each step of that status. No client tells what happens to a list that is written as a whole.
pub(super) fn steps<'a>(told: &Told<'a>, kind: Kind, status: TaskStatus) -> Vec<Event<'a>> {
    let tool = told
        .event
        .tool
        .as_ref()
        .filter(|_| told.is(Kind::PostToolUse));
    let Some(tool) = tool.filter(|tool| tool.does == ToolKind::TaskBoard || told.lacks(kind))
    else {
        return Vec::new();
    };
    let steps = tool.task_steps().into_iter();
    let wanted = steps.filter(|step| step.status == status);
    wanted
        .map(|step| Event {
            task: Some(task(told, step)),
            ..told.beside(kind)
        })
        .collect()
}

/// A move names the task by its id alone; what it is was said when it was made.
fn task<'a>(told: &Told<'a>, step: TaskStep<'a>) -> Task<'a> {
    let known = step.id.as_deref().and_then(|id| told.session.task(id));
    let of = |said: Option<&'a String>| said.map(|said| Cow::Borrowed(said.as_str()));
    Task {
        id: step.id,
        subject: step.subject.or_else(|| of(known?.subject.as_ref())),
        description: step.description.or_else(|| of(known?.description.as_ref())),
    }
}
