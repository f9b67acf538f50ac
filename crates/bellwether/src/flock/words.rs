//! States as a person would say them.

use bellwether_flock::Status;

pub(super) fn of(status: Status) -> &'static str {
    match status {
        Status::Offline => "gone",
        Status::Appearing => "arriving",
        Status::Idle => "idle",
        Status::Working => "working",
        Status::Thinking => "thinking",
        Status::PendingInput => "needs you",
        Status::Completed => "done",
        Status::Failed => "failed",
        Status::Resting => "resting",
        Status::Startled => "woken up",
        Status::Walking => "on its way",
        Status::Chatting => "talking",
        Status::Returning => "coming back",
        Status::Disappearing => "leaving",
        Status::Unknown => "unknown",
    }
}
