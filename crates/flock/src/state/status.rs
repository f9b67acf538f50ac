//! The states.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! states {
    ($($name:ident $text:literal: $doc:literal,)+) => {
        /// What an agent does.
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
        )]
        #[serde(rename_all = "snake_case")]
        pub enum Status {
            $(#[doc = $doc] $name,)+
            /// Nobody can know: nothing was heard for too long.
            #[default]
            Unknown,
        }

        impl Status {
            pub const ALL: &[Self] = &[$(Self::$name,)+ Self::Unknown];

            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                    Self::Unknown => "unknown",
                }
            }

            /// The state of that name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|state| state.as_str() == name)
            }
        }
    };
}

states! {
    Offline "offline": "It is not there.",
    Appearing "appearing": "It has just come.",
    Idle "idle": "It has nothing to do.",
    Working "working": "It works.",
    Thinking "thinking": "It thinks.",
    PendingInput "pending_input": "It waits for the person.",
    Completed "completed": "It has done what it was there for.",
    Failed "failed": "It has failed.",
    Resting "resting": "It has had nothing to do for a while.",
    Startled "startled": "It was woken.",
    Walking "walking": "It is on its way to another.",
    Chatting "chatting": "It talks to another.",
    Returning "returning": "It is on its way back.",
    Disappearing "disappearing": "It is leaving.",
}

impl Status {
    /// Whether the agent is there.
    pub fn is_present(self) -> bool {
        self != Self::Offline
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_fourteen_and_the_honest_one() {
        assert_eq!(Status::ALL.len(), 15);
        for &state in Status::ALL {
            assert_eq!(Status::from_name(state.as_str()), Some(state));
            assert_eq!(
                serde_json::to_string(&state).unwrap(),
                format!("\"{state}\"")
            );
        }
    }
}
