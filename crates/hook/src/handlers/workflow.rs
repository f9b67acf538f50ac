//! Moves planned work along as tasks are completed, and gives a teammate that has nothing to do the next task.

use bellwether_protocol::event::Kind;

use super::Context;
use crate::answer::Answer;
use crate::workflow::work;

pub(super) const ABOUT: &str = "move planned work along as tasks are completed";
pub(super) const TIMEOUT_S: u32 = 10;
pub(super) const EVENTS: &[Kind] = &[
    Kind::PostToolUse,
    Kind::TaskCreated,
    Kind::TaskCompleted,
    Kind::TeammateIdle,
    Kind::SubagentStart,
    Kind::SubagentStop,
    Kind::Stop,
    Kind::SessionEnd,
];

pub(super) fn handle(context: Context<'_>) -> Answer<'_> {
    Answer {
        work: work(context),
        ..Answer::default()
    }
}
