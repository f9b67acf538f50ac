//! What an agent's creature is seen doing: by its state, and at work by what its tool does.

use bellwether_creature::Pose;
use bellwether_protocol::event::ToolKind;

use crate::state::Status;

pub(super) fn of(status: Status, does: Option<ToolKind>) -> Pose {
    match status {
        Status::Working => at_work(does),
        Status::Appearing => Pose::Appearing,
        Status::Idle => Pose::Idle,
        Status::Thinking => Pose::Thinking,
        Status::PendingInput => Pose::Waiting,
        Status::Completed => Pose::Done,
        Status::Failed => Pose::Failed,
        Status::Resting => Pose::Resting,
        Status::Startled => Pose::Startled,
        Status::Walking | Status::Returning => Pose::Walking,
        Status::Chatting => Pose::Chatting,
        Status::Disappearing | Status::Offline => Pose::Leaving,
        Status::Unknown => Pose::Unknown,
    }
}

fn at_work(does: Option<ToolKind>) -> Pose {
    match does {
        Some(ToolKind::Command | ToolKind::Output) => Pose::Terminal,
        Some(ToolKind::Read | ToolKind::Search | ToolKind::Lookup) => Pose::Searching,
        Some(ToolKind::Change) => Pose::Editing,
        _ => Pose::Working,
    }
}
