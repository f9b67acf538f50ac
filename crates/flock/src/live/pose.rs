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

#[cfg(test)]
mod tests {
    use bellwether_protocol::client::Client;

    use super::*;

    #[test]
    fn who_works_shows_its_tool_and_anybody_else_its_state() {
        let client = Client::default();
        for (tool, pose) in [
            ("Bash", Pose::Terminal),
            ("BashOutput", Pose::Terminal),
            ("Grep", Pose::Searching),
            ("WebFetch", Pose::Searching),
            ("NotebookEdit", Pose::Editing),
            ("AskUserQuestion", Pose::Working),
        ] {
            let does = Some(client.tool_kind(tool));
            assert_eq!(of(Status::Working, does), pose, "{tool}");
            assert_eq!(of(Status::PendingInput, does), Pose::Waiting);
            assert_eq!(of(Status::Completed, does), Pose::Done);
        }
        assert_eq!(of(Status::Working, None), Pose::Working);
    }
}
