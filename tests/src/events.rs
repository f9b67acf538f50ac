//! The hook events the client knows, and which of them a mere observer may register.

/// All events of [`CLIENT_VERSION`](crate::client::CLIENT_VERSION).
pub const ALL: [&str; 33] = [
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Notification",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "SessionStart",
    "SessionEnd",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "PreModelSwitch",
    "PostModelSwitch",
    "PermissionRequest",
    "PermissionDenied",
    "Setup",
    "TeammateIdle",
    "TaskCreated",
    "TaskCompleted",
    "Elicitation",
    "ElicitationResult",
    "ConfigChange",
    "WorktreeCreate",
    "WorktreeRemove",
    "InstructionsLoaded",
    "CwdChanged",
    "FileChanged",
    "DirectoryAdded",
    "MessageDisplay",
];

/// `WorktreeCreate` expects the hook to make the worktree; `MessageDisplay` starts a process for every flush of text.
const NOT_FOR_OBSERVERS: [&str; 2] = ["WorktreeCreate", "MessageDisplay"];

/// `FileChanged` fires only for the file names in its matcher.
pub const WATCHED_FILES: &str = ".env|watched.txt";

/// The events a hook that only observes can register.
pub fn registrable() -> impl Iterator<Item = &'static str> {
    ALL.into_iter()
        .filter(|event| !NOT_FOR_OBSERVERS.contains(event))
}
