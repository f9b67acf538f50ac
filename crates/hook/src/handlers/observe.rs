//! Answers nothing: it only names the events that are worth having in the journal.
//!
//! Left out are `MessageDisplay` (a process for every piece of text shown), `WorktreeCreate` (the
//! client takes stdout for a path) and `FileChanged` (the client wants a list of files for it).

use bellwether_protocol::event::Kind;

use super::Context;
use crate::answer::Answer;

pub(super) const ABOUT: &str = "see every event that the client can tell without harm";
pub(super) const TIMEOUT_S: u32 = 10;
pub(super) const EVENTS: &[Kind] = &[
    Kind::PreToolUse,
    Kind::PostToolUse,
    Kind::PostToolUseFailure,
    Kind::PostToolBatch,
    Kind::Notification,
    Kind::UserPromptSubmit,
    Kind::UserPromptExpansion,
    Kind::SessionStart,
    Kind::SessionEnd,
    Kind::Stop,
    Kind::StopFailure,
    Kind::SubagentStart,
    Kind::SubagentStop,
    Kind::PreCompact,
    Kind::PostCompact,
    Kind::PreModelSwitch,
    Kind::PostModelSwitch,
    Kind::PermissionRequest,
    Kind::PermissionDenied,
    Kind::Setup,
    Kind::TeammateIdle,
    Kind::TaskCreated,
    Kind::TaskCompleted,
    Kind::Elicitation,
    Kind::ElicitationResult,
    Kind::ConfigChange,
    Kind::WorktreeRemove,
    Kind::InstructionsLoaded,
    Kind::CwdChanged,
    Kind::DirectoryAdded,
];

pub(super) fn handle(_: Context<'_>) -> Answer<'_> {
    Answer::default()
}
