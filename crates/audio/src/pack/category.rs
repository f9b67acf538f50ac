//! The kinds of events that a pack has sounds for.

/// A kind of event, as CESP has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Category {
    /// A session begins.
    SessionStart,
    /// Work has been taken up.
    TaskAcknowledge,
    /// Work is done.
    TaskComplete,
    TaskError,
    /// Somebody is waited for.
    InputRequired,
    /// A limit was reached.
    ResourceLimit,
    /// Too many prompts at once.
    UserSpam,
    SessionEnd,
    /// Long work goes on.
    TaskProgress,
}

impl Category {
    pub const ALL: &'static [Self] = &[
        Self::SessionStart,
        Self::TaskAcknowledge,
        Self::TaskComplete,
        Self::TaskError,
        Self::InputRequired,
        Self::ResourceLimit,
        Self::UserSpam,
        Self::SessionEnd,
        Self::TaskProgress,
    ];

    /// Its name in a manifest.
    pub fn name(self) -> &'static str {
        match self {
            Self::SessionStart => "session.start",
            Self::TaskAcknowledge => "task.acknowledge",
            Self::TaskComplete => "task.complete",
            Self::TaskError => "task.error",
            Self::InputRequired => "input.required",
            Self::ResourceLimit => "resource.limit",
            Self::UserSpam => "user.spam",
            Self::SessionEnd => "session.end",
            Self::TaskProgress => "task.progress",
        }
    }

    /// The category of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.name() == name)
    }

    /// What an announcement of this name is to a pack, the name being the one in the configuration.
    pub fn of_announcement(name: &str) -> Option<Self> {
        Some(match name {
            "session_start" => Self::SessionStart,
            "session_end" => Self::SessionEnd,
            "stop" | "subagent_stop" | "task_completed" | "workflow" => Self::TaskComplete,
            "post_tool_use_failure" | "permission_denied" | "guard_refusal" => Self::TaskError,
            "stop_failure" | "pre_compact" => Self::ResourceLimit,
            "permission_request" | "ask_user_question" | "elicitation" | "notification"
            | "teammate_idle" => Self::InputRequired,
            "subagent_start" | "task_created" => Self::TaskAcknowledge,
            "post_compact" => Self::TaskProgress,
            _ => return None,
        })
    }
}
