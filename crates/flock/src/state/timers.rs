//! What happens when nothing happens.

use super::machine::finish_moment;
use super::{Life, Status};
use crate::normal::Role;

const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const WEEK: u64 = 7 * 24 * HOUR;

/// How long a state lasts by itself; `None` for as long as it likes.
fn lasts(life: &Life, role: Role) -> Option<u64> {
    let confirmed = life.waits.iter().any(|wait| wait.confirmed);
    Some(match life.status {
        Status::Offline => return None,
        Status::Appearing => 1_500,
        Status::Startled => SECOND,
        Status::Walking | Status::Returning | Status::Disappearing => 2 * SECOND,
        Status::Chatting => 5 * SECOND,
        Status::Idle => 2 * MINUTE,
        Status::Completed => MINUTE,
        // An interrupted turn tells nothing, and neither does a long command.
        Status::Working | Status::Thinking => 15 * MINUTE,
        // A dialog stands until something settles it, the end of the client included. So this is only for those of whom
        // nobody can know whether they are still there.
        Status::PendingInput if life.has_dialog() => WEEK,
        // The client repeats an open question after seconds. One that it does not repeat was answered.
        Status::PendingInput if !confirmed => 45 * SECOND,
        Status::PendingInput => 4 * HOUR,
        Status::Failed => 10 * MINUTE,
        Status::Unknown => HOUR,
        Status::Resting if role == Role::Subagent => 5 * MINUTE,
        Status::Resting => 12 * HOUR,
    })
}

/// When the state of an agent changes by itself.
pub fn due(life: &Life, role: Role) -> Option<u64> {
    Some(life.since_ms.saturating_add(lasts(life, role)?))
}

/// The state at a moment, when a timer has run out before it; `None` when none has. A clock that was
/// set back makes no timer run out.
#[must_use]
pub fn ring(life: &Life, role: Role, now_ms: u64) -> Option<Life> {
    let at = due(life, role).filter(|due| *due <= now_ms)?;
    let mut next = life.clone();
    match life.status {
        Status::Appearing | Status::Startled | Status::Returning => finish_moment(&mut next, at),
        Status::Walking => keep_behind(&mut next, Status::Chatting, at),
        Status::Chatting => keep_behind(&mut next, Status::Returning, at),
        Status::Idle | Status::Failed => next.set(Status::Resting, at),
        Status::Completed | Status::Resting | Status::Unknown => {
            next.set(Status::Disappearing, at);
        }
        Status::Working | Status::Thinking | Status::PendingInput => next.set(Status::Unknown, at),
        Status::Disappearing => next.set(Status::Offline, at),
        Status::Offline => return None,
    }
    Some(next)
}

fn keep_behind(life: &mut Life, status: Status, at_ms: u64) {
    let behind = life.behind;
    life.set(status, at_ms);
    life.behind = behind;
}
