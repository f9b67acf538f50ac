//! The kinds of event, by the names that Claude Code gave them.
//!
//! The list below is the only place where an event's name is written.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

macro_rules! kinds {
    ($($kind:ident: $doc:literal,)+) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
        pub enum Kind {
            $(#[doc = $doc] $kind,)+
            /// An event that this program does not know, or one without a name.
            #[default]
            Other,
        }

        impl Kind {
            /// Every known kind.
            pub const ALL: &[Self] = &[$(Self::$kind,)+];

            /// The kind's name.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$kind => stringify!($kind),)+
                    Self::Other => "Other",
                }
            }

            /// What has happened, in a sentence.
            pub const fn about(self) -> &'static str {
                match self {
                    $(Self::$kind => $doc,)+
                    Self::Other => "Something that is not known here.",
                }
            }

            /// The kind of that name, [`Kind::Other`] when none has it.
            pub fn from_name(name: &str) -> Self {
                match name {
                    $(stringify!($kind) => Self::$kind,)+
                    _ => Self::Other,
                }
            }
        }
    };
}

kinds! {
    PreToolUse: "A tool is about to run.",
    PostToolUse: "A tool has run.",
    PostToolUseFailure: "A tool has failed.",
    PostToolBatch: "All tool calls of one answer have ended.",
    Notification: "The client tells the person something.",
    UserPromptSubmit: "A prompt was given, by the person or by another agent.",
    UserPromptExpansion: "A slash command becomes a prompt.",
    SessionStart: "A session begins, goes on, or was compacted.",
    SessionEnd: "A session ends.",
    Stop: "The main agent has finished its turn.",
    StopFailure: "The turn ended with an error of the API.",
    SubagentStart: "A subagent begins.",
    SubagentStop: "A subagent has finished.",
    PreCompact: "The context is about to be compacted.",
    PostCompact: "The context was compacted.",
    PreModelSwitch: "The model is about to change.",
    PostModelSwitch: "The model has changed.",
    PermissionRequest: "The person is asked whether a tool may run.",
    PermissionDenied: "A tool was not permitted.",
    Setup: "The project is set up or maintained.",
    TeammateIdle: "A teammate has nothing to do.",
    TaskCreated: "A task is about to be created.",
    TaskCompleted: "A task is about to be completed.",
    Elicitation: "An MCP server asks the person something.",
    ElicitationResult: "The person has answered an MCP server.",
    ConfigChange: "A settings file has changed.",
    WorktreeCreate: "A worktree is to be created by the hook.",
    WorktreeRemove: "A worktree is removed.",
    InstructionsLoaded: "A file of instructions was read.",
    CwdChanged: "The working directory has changed.",
    FileChanged: "A watched file has changed.",
    DirectoryAdded: "A directory was added to the session.",
    MessageDisplay: "A piece of the agent's answer is shown.",
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(NameVisitor)
    }
}

struct NameVisitor;

impl de::Visitor<'_> for NameVisitor {
    type Value = Kind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of an event")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Kind, E> {
        Ok(Kind::from_name(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_back_to_its_kind() {
        assert_eq!(Kind::ALL.len(), 33);
        for &kind in Kind::ALL {
            assert_eq!(Kind::from_name(kind.as_str()), kind);
            let json = serde_json::to_string(&kind).unwrap();
            assert_eq!(serde_json::from_str::<Kind>(&json).unwrap(), kind);
        }
        assert_eq!(Kind::from_name("pretooluse"), Kind::Other);
    }
}
