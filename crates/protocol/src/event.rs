//! The event as the rest of the program sees it, whichever client sent it.
//!
//! One wide, flat record: a guard reads `tool`, an announcer `message`, a store `session` and
//! `agent`, each in one or two field accesses. Everything but the kind may be missing. An event
//! borrows from the text it was read from, which the caller keeps and passes on untouched, so
//! nothing that has no field here is lost.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

mod kind;
mod question;
mod told;
mod tool;

pub use kind::Kind;
pub use question::{Asked, Asking, asked};
pub use told::{ToldHunk, ToldTask};
pub use tool::{
    Deed, FileChange, NewText, Replacement, ShellCommand, StartedAgent, TaskStatus, TaskStep, Tool,
    ToolKind,
};

/// One thing that happened in an agent's session.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Event<'a> {
    pub kind: Kind,
    /// The event's name as sent; the only name that an event of [`Kind::Other`] has. Empty when
    /// none was sent.
    pub name: Cow<'a, str>,
    /// The session it happened in.
    pub session: Option<Cow<'a, str>>,
    /// The session that started this one.
    pub parent_session: Option<Cow<'a, str>>,
    /// The prompt that the agent is working on.
    pub prompt_id: Option<Cow<'a, str>>,
    pub cwd: Option<Cow<'a, str>>,
    /// Where the session's transcript is, or will be.
    pub transcript: Option<Cow<'a, str>>,
    /// How freely tools may run: `default`, `acceptEdits`, `plan`, `bypassPermissions`, ...
    pub permission_mode: Option<Cow<'a, str>>,
    /// How hard the model thinks: `low`, `medium`, `high`.
    pub effort: Option<Cow<'a, str>>,
    /// The agent it is about, when that is not the session's main agent or it has a name.
    pub agent: Option<Agent<'a>>,
    /// The tool call it is about.
    pub tool: Option<Tool<'a>>,
    /// The tool calls of a finished batch (`PostToolBatch`).
    pub calls: Vec<Tool<'a>>,
    /// The task it is about (`TaskCreated`, `TaskCompleted`).
    pub task: Option<Task<'a>>,
    /// The model it is about (`SessionStart`, `PreModelSwitch`, `PostModelSwitch`).
    pub model: Option<Model<'a>>,
    /// The words of the event:
    /// - what the agent said last: `Stop`, `SubagentStop`, `StopFailure`;
    /// - what the person is told or asked: `Notification`, `Elicitation`;
    /// - what the agent was told: `UserPromptSubmit`, `UserPromptExpansion`, `SubagentStart`;
    /// - the instructions for `PreCompact`, the summary of `PostCompact`;
    /// - the piece of text that `MessageDisplay` shows.
    pub message: Option<Cow<'a, str>>,
    /// A short name beside the words: a notification's or session's title, the command of
    /// `UserPromptExpansion`, the name of `WorktreeCreate`.
    pub title: Option<Cow<'a, str>>,
    /// Why, from where or how, in the client's own word:
    /// - source: `SessionStart`, `UserPromptSubmit`, `ConfigChange`, `DirectoryAdded`,
    ///   `PreModelSwitch`, `PostModelSwitch`;
    /// - reason: `SessionEnd`, `PermissionDenied`, `Stop`, `SubagentStop`, `InstructionsLoaded`;
    /// - trigger: `PreCompact`, `PostCompact`, `Setup`;
    /// - the error of `StopFailure`, the change of `FileChanged`, the type of
    ///   `UserPromptExpansion`, the mode of `Elicitation`, the action of `ElicitationResult`.
    pub detail: Option<Cow<'a, str>>,
    /// What a `Notification` is about: `idle_prompt`, `permission_prompt`, ...
    pub notification_type: Option<Cow<'a, str>>,
    /// How grave a `Notification` is, where a client says so.
    pub level: Option<Cow<'a, str>>,
    /// The file or directory it is about: `ConfigChange`, `FileChanged`, `InstructionsLoaded`,
    /// `DirectoryAdded`, `WorktreeRemove`, and the new directory of `CwdChanged`.
    pub path: Option<Cow<'a, str>>,
    /// The path it comes from: the old directory of `CwdChanged`, the file that made
    /// `InstructionsLoaded` happen.
    pub from_path: Option<Cow<'a, str>>,
    /// The MCP server that asks (`Elicitation`, `ElicitationResult`).
    pub mcp_server: Option<Cow<'a, str>>,
    /// A free-form value: the schema of `Elicitation`, the content of `ElicitationResult`, the
    /// suggestions of `PermissionRequest`, the error's details of `StopFailure`.
    pub data: Option<&'a RawValue>,
    /// The agent goes on only because a hook blocked its stop; blocking again may not end.
    pub stop_hook_active: bool,
    /// The background tasks that still run at `Stop`: the work is done only when there are none.
    pub background_tasks: Vec<BackgroundTask<'a>>,
    /// What the model thought, where a client sends it.
    pub thinking: Option<Cow<'a, str>>,
    /// What a forwarder added (`_meta`).
    pub meta: Option<&'a RawValue>,
}

impl Event<'_> {
    /// The name under which people see it: the kind's, or what was sent where the kind is not known.
    pub fn shown_name(&self) -> &str {
        match self.kind {
            Kind::Other => &self.name,
            kind => kind.as_str(),
        }
    }
}

/// An agent beside the session's main one, or a named one.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Agent<'a> {
    pub id: Option<Cow<'a, str>>,
    /// Its type; the client sends the teammate's name here for a teammate.
    pub kind: Option<Cow<'a, str>>,
    /// Its name in the team.
    pub name: Option<Cow<'a, str>>,
    pub team: Option<Cow<'a, str>>,
    pub transcript: Option<Cow<'a, str>>,
    /// It is a member of a team, which works on in turns.
    #[serde(skip)]
    pub teammate: bool,
    /// It is the client's own helper, such as the one that compacts: nobody started it.
    #[serde(skip)]
    pub internal: bool,
}

/// Something that runs on after the turn that started it.
#[derive(Debug, Clone, Default, Serialize)]
pub struct BackgroundTask<'a> {
    pub id: Option<Cow<'a, str>>,
    /// What kind of task it is: `shell`, ...
    pub kind: Option<Cow<'a, str>>,
    /// What it is for, in the words of who started it.
    pub description: Option<Cow<'a, str>>,
    /// The command that it runs.
    pub command: Option<Cow<'a, str>>,
}

/// One task of the agent's own list.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Task<'a> {
    /// Its identifier, unique in the session.
    pub id: Option<Cow<'a, str>>,
    /// What it is, in a line.
    pub subject: Option<Cow<'a, str>>,
    /// What it is, in full.
    pub description: Option<Cow<'a, str>>,
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct Model<'a> {
    /// The model before a switch.
    pub from: Option<Cow<'a, str>>,
    /// The model in use from here on.
    pub to: Option<Cow<'a, str>>,
    /// The name by which the person asked for it.
    pub requested: Option<Cow<'a, str>>,
    /// How many tokens of context it takes over.
    pub context_tokens: Option<u64>,
}
