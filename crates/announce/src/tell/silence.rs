//! Why nothing is said.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Muted;

/// Why nothing is said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Silence {
    /// No announcement is about such events.
    NoHandler,
    /// Its announcement is switched off.
    Off,
    /// Nobody sits in front of this session.
    Unattended,
    /// The person has muted it.
    Muted(Muted),
    /// It is an hour of silence.
    QuietHours,
    /// Subagents are not told of.
    Subagents,
    /// Teammates are not told of.
    Teammates,
    /// The turn was too short.
    ShortTurn,
    /// The turn failed, which is told by itself.
    TurnFailed,
    /// The person interrupted it.
    Interrupted,
    /// Only the question tool is told of when it has run.
    OtherTool,
    /// The client compacts its context: no agent has finished.
    Compaction,
    /// Notifications of this type are not told.
    NotificationType,
    /// The prompt was not typed by the person.
    NotTyped,
    /// This moment has been told already.
    AlreadyTold,
    /// It is told when the teammate is idle.
    ToldAsIdle,
    /// It was told with others a moment ago.
    Merged,
    /// A later announcement of its session took its place before it was made.
    Replaced,
    /// There is nothing to say.
    NothingToSay,
    /// It would come too late.
    TooLate,
}

impl fmt::Display for Silence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoHandler => "no announcement exists for such events",
            Self::Off => "its announcement is off",
            Self::Unattended => "nobody watches this session",
            Self::Muted(Muted {
                project: Some(_), ..
            }) => "the project is muted",
            Self::Muted(_) => "everything is muted",
            Self::QuietHours => "it is within quiet hours",
            Self::Subagents => "subagents are not announced",
            Self::Teammates => "teammates are not announced",
            Self::ShortTurn => "the turn was too short",
            Self::TurnFailed => "the turn failed, which is announced by itself",
            Self::Interrupted => "you interrupted it",
            Self::OtherTool => "of finished tools only questions are announced",
            Self::Compaction => "a helper of the client ended; no agent finished",
            Self::NotificationType => "notifications of this type are not announced",
            Self::NotTyped => "the prompt was not typed",
            Self::AlreadyTold => "this was already announced",
            Self::ToldAsIdle => "it is told when the teammate is idle",
            Self::Merged => "it was announced together with others",
            Self::Replaced => "a later announcement replaced it",
            Self::NothingToSay => "nothing to say",
            Self::TooLate => "it would come too late",
        })
    }
}
