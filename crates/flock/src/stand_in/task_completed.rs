//! A task is done when the call that says so has run.

use bellwether_protocol::event::{Event, Kind, TaskStatus};

use super::{Place, Told, task_created};

pub(super) const KIND: Kind = Kind::TaskCompleted;
pub(super) const PLACE: Place = Place::Before;

pub(super) fn tell<'a>(told: &Told<'a>) -> Vec<Event<'a>> {
    task_created::steps(told, KIND, TaskStatus::Done)
}
