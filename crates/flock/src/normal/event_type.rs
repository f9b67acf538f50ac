//! The catalogue of normalised events. The list below is the only place where their names stand.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the catalogue that this program speaks.
pub const CATALOGUE: &str = "1.2";

macro_rules! event_types {
    ($($name:ident $text:literal since $since:literal: $doc:literal,)+) => {
        /// What happened, in one of a few words.
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
        )]
        #[serde(rename_all = "snake_case")]
        pub enum EventType {
            $(#[doc = $doc] $name,)+
        }

        impl EventType {
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }

            /// The version of the catalogue that first had it.
            pub const fn since(self) -> &'static str {
                match self {
                    $(Self::$name => $since,)+
                }
            }

            /// What it means, in a line.
            pub const fn about(self) -> &'static str {
                match self {
                    $(Self::$name => $doc,)+
                }
            }

            /// The type of that name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($text => Some(Self::$name),)+
                    _ => None,
                }
            }
        }
    };
}

event_types! {
    AgentStarted "agent_started" since "1.1": "An agent begins.",
    AgentStopped "agent_stopped" since "1.1": "An agent ends, or its turn does.",
    AgentBlocked "agent_blocked" since "1.1": "An agent waits for the person.",
    AgentUnblocked "agent_unblocked" since "1.1": "The person has answered, or given a prompt.",
    TaskCreated "task_created" since "1.1": "A task was put on the list.",
    TaskStarted "task_started" since "1.1": "A task was begun.",
    TaskProgress "task_progress" since "1.1": "Something about a task has changed.",
    TaskCompleted "task_completed" since "1.1": "A task is done.",
    TaskFailed "task_failed" since "1.1": "A turn ended with an error.",
    ToolStarted "tool_started" since "1.1": "A tool is about to run.",
    ToolSucceeded "tool_succeeded" since "1.1": "A tool has run.",
    ToolFailed "tool_failed" since "1.1": "A tool has failed.",
    Heartbeat "heartbeat" since "1.1": "An agent is alive.",
    Notification "notification" since "1.1": "The person is told something.",
    SchemaError "schema_error" since "1.1": "Something came that is no event.",
    MessageSent "message_sent" since "1.2": "An agent writes to another.",
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_back_to_its_type() {
        for &kind in EventType::ALL {
            assert_eq!(EventType::from_name(kind.as_str()), Some(kind));
            let json = serde_json::to_string(&kind).unwrap();
            assert_eq!(json, format!("\"{kind}\""));
            assert!(kind.since() <= CATALOGUE);
        }
        assert_eq!(EventType::from_name("Agent_Started"), None);
    }
}
