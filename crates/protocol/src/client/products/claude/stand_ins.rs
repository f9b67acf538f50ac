//! What tells a fact in the versions that have no event for it.

use crate::client::stand_in::Carrier::{Call, Event, Transcript};
use crate::client::stand_in::{Carrier, StandIn};
use crate::event::{Kind, ToolKind};

pub(super) const STAND_INS: &[StandIn] = &[
    one(
        Kind::PostToolUseFailure,
        &[Transcript(Kind::PreToolUse), Transcript(Kind::Stop)],
        "comes with the next event; calls inside a subagent that has a transcript of its own are not seen",
    ),
    one(
        Kind::StopFailure,
        &[Transcript(Kind::Stop)],
        "comes after the Stop that it replaces, which is stored as well",
    ),
    one(
        Kind::SubagentStart,
        &[
            Call(Kind::PreToolUse, ToolKind::AgentStart),
            Event(Kind::SubagentStop),
        ],
        "comes when the agent is first seen; its id is made up where the version tells none",
    ),
    one(
        Kind::PostCompact,
        &[Event(Kind::SessionStart)],
        "has no summary",
    ),
    one(
        Kind::PermissionRequest,
        &[Event(Kind::Notification)],
        "comes some seconds after the dialog, and cannot be answered from the page",
    ),
    one(
        Kind::TeammateIdle,
        &[Event(Kind::SubagentStop), Event(Kind::Stop)],
        "comes with the end of each of the teammate's turns",
    ),
    one(
        Kind::TaskCreated,
        &[
            Call(Kind::PostToolUse, ToolKind::TaskNew),
            Call(Kind::PostToolUse, ToolKind::TaskBoard),
        ],
        "comes when the task is on the list, and cannot refuse it",
    ),
    one(
        Kind::TaskCompleted,
        &[
            Call(Kind::PostToolUse, ToolKind::TaskMove),
            Call(Kind::PostToolUse, ToolKind::TaskBoard),
        ],
        "comes when the task is done, and cannot refuse it",
    ),
    one(
        Kind::CwdChanged,
        &[Event(Kind::PreToolUse), Event(Kind::UserPromptSubmit)],
        "comes with the next event from the new folder",
    ),
];

const fn one(kind: Kind, carriers: &'static [Carrier], differs: &'static str) -> StandIn {
    StandIn {
        kind,
        carriers,
        differs,
    }
}
