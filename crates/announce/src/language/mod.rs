//! The words of announcements, one file a language. A test compares their placeholders.

mod en;
mod ko;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The language of announcements.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Korean.
    Ko,
}

impl Language {
    pub fn words(self) -> &'static Words {
        match self {
            Self::En => &en::WORDS,
            Self::Ko => &ko::WORDS,
        }
    }
}

macro_rules! words {
    ($($name:ident: $about:literal,)*) => {
        /// The words of one language.
        #[derive(Debug)]
        pub struct Words {
            $(#[doc = $about] pub $name: &'static str,)*
        }

        #[cfg(test)]
        impl Words {
            fn all(&self) -> Vec<(&'static str, &'static str)> {
                vec![$((stringify!($name), self.$name),)*]
            }
        }
    };
}

words! {
    question: "The agent asks something, and what is not known or not wanted.",
    approve: "A tool needs leave.",
    permission: "The same, of the plain preset.",
    permission_of_some: "The same, of a tool without a name.",
    idle: "The agent waits.",
    logged_in: "The person was logged in.",
    notification: "The client notifies of something.",
    subagent_started: "A subagent begins.",
    subagent_finished: "A subagent has finished.",
    subagents_finished: "Several have.",
    subagent_completed: "A subagent has finished, of the plain preset.",
    subagent_of_some: "The same, of one without a type.",
    teammate_idle: "A teammate has nothing to do.",
    task_completed: "A task is done.",
    task_of_some: "The same, of one without a subject.",
    task_created: "A task is to be done.",
    tool_failed: "A tool has failed.",
    tool_denied: "A tool was refused.",
    turn_failed: "The turn ended in an error.",
    server_asks: "An MCP server asks.",
    compacting: "The context is being compacted.",
    compacted: "It was.",
    session_started: "A session begins.",
    session_ended: "A session ends.",
    nothing_said: "A turn ended without words.",
    some_tool: "A tool without a name.",
    some_agent: "An agent without a type.",
    some_teammate: "A teammate without a name.",
    some_task: "A task without a subject.",
    some_error: "An error without a name.",
    some_server: "A server without a name.",
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placeholders(text: &str) -> Vec<&str> {
        let mut found: Vec<&str> = text
            .split('{')
            .skip(1)
            .map(|rest| rest.split_once('}').unwrap().0)
            .collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn every_language_has_the_same_placeholders() {
        let english = Language::En.words().all();
        for (theirs, ours) in Language::Ko.words().all().into_iter().zip(english) {
            assert!(!theirs.1.is_empty(), "{}", theirs.0);
            assert_eq!(placeholders(theirs.1), placeholders(ours.1), "{}", theirs.0);
        }
    }
}
