//! What a creature can be seen doing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! poses {
    ($($name:ident $text:literal: $doc:literal,)+) => {
        /// What a creature is seen doing.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum Pose {
            $(#[doc = $doc] $name,)+
            /// Nobody knows what it does.
            #[default]
            Unknown,
        }

        impl Pose {
            pub const ALL: &[Self] = &[$(Self::$name,)+ Self::Unknown];
            /// Their names, in the same order.
            pub const NAMES: &[&str] = &[$($text,)+ "unknown"];

            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                    Self::Unknown => "unknown",
                }
            }

            /// The pose of that name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|pose| pose.as_str() == name)
            }
        }
    };
}

poses! {
    Idle "idle": "It stands there.",
    Appearing "appearing": "It pops up.",
    Working "working": "It types on a laptop.",
    Thinking "thinking": "It looks up, with a bubble of three dots.",
    Terminal "terminal": "It types into a terminal.",
    Searching "searching": "It looks through a lens.",
    Editing "editing": "It writes with a pencil.",
    Waiting "waiting": "It waves for the person.",
    Failed "failed": "It is dizzy, and has lost its colour.",
    Resting "resting": "It sleeps.",
    Done "done": "It hops once, in confetti.",
    Startled "startled": "It jumps.",
    Walking "walking": "It walks.",
    Chatting "chatting": "It talks.",
    Leaving "leaving": "It waves and fades.",
}
