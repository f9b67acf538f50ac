//! What a client knows about an event: since when, and how a hook can answer.

use super::version::Support;
use crate::event::Kind;

/// One event of a client.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub kind: Kind,
    /// What the client calls it.
    pub name: &'static str,
    pub support: Support,
    /// How a hook can decide something.
    pub answer: Answer,
    /// Since when the client obeys that answer.
    pub answered: Support,
    /// What a matcher in the settings is compared with; `None` when it is ignored.
    pub matcher: Option<Matcher>,
    /// Since when context reaches the model; `None` when it never does.
    pub context: Option<Support>,
}

/// What a matcher is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Matcher {
    /// The field of the payload.
    pub field: &'static str,
    pub support: Support,
}

/// How a hook's decision is written so that the client obeys it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The tool call is allowed, refused or put to the person.
    Permission,
    /// The same, of which only a refusal is known to be obeyed.
    Denial,
    /// The open dialog is answered.
    Dialog,
    /// It refuses what is about to happen, sends an agent that stops back to work, or tells the model
    /// about a tool call that is already over.
    Block,
    /// The question of an MCP server is declined.
    Decline,
    /// Exit code 2 with the reason on stderr; the client takes no decision from stdout.
    ExitCode,
    /// Nothing can be decided; a message to the person still arrives.
    Nothing,
    /// Whatever is written to stdout is misread or thrown away, so nothing must be.
    Silence,
}

impl Entry {
    /// Whether a hook that only watches may be registered for it. `WorktreeCreate` takes stdout for
    /// the path of the worktree, and `MessageDisplay` starts a process for every piece of text.
    pub fn may_observe(&self) -> bool {
        !matches!(self.kind, Kind::WorktreeCreate | Kind::MessageDisplay)
    }

    /// Whether it is about one call of a tool.
    pub fn is_of_tool(&self) -> bool {
        self.matcher
            .is_some_and(|matcher| matcher.field == "tool_name")
    }
}
