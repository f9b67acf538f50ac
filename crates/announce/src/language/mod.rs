//! The languages that bellwether speaks: one file each with all its words, and one line in the list below. The name of
//! the file is the language's code, and the first line is the default. A test compares their placeholders.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

mod en;
mod ko;

macro_rules! languages {
    ($default:ident $Default:ident $(, $code:ident $Name:ident)* $(,)?) => {
        /// The language of announcements.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Language {
            #[default]
            $Default,
            $($Name,)*
        }

        impl Language {
            pub const ALL: &[Self] = &[Self::$Default $(, Self::$Name)*];
            pub const CODES: &[&str] = &[stringify!($default) $(, stringify!($code))*];

            pub fn words(self) -> &'static Words {
                match self {
                    Self::$Default => &$default::WORDS,
                    $(Self::$Name => &$code::WORDS,)*
                }
            }
        }
    };
}

bellwether_listed::modules!(languages, "src/language/mod.rs", camel);

impl Language {
    pub fn code(self) -> &'static str {
        Self::CODES[self as usize]
    }

    pub fn of_code(code: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|language| language.code() == code)
    }
}

impl JsonSchema for Language {
    fn schema_name() -> Cow<'static, str> {
        "Language".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let one = |language: &Self| {
            let about = format!("{}.", language.words().name);
            json!({"description": about, "type": "string", "const": language.code()})
        };
        let all: Vec<Value> = Self::ALL.iter().map(one).collect();
        json_schema!({"oneOf": all})
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
    name: "The name of the language, in English.",
    sample: "What a voice says when it is tried.",
    stopped: "The guard stopped something in the demo.",
    question: "The agent asks something, and what is not known or not wanted.",
    approve: "A tool needs permission.",
    permission: "The same, of the plain preset.",
    permission_of_some: "The same, of a tool without a name.",
    allow: "A tool needs permission: who asks, and what for.",
    allow_agent: "The same, of a subagent or teammate.",
    asks: "The agent asks something.",
    several_wait: "Agents of several sessions wait for an answer.",
    and_others: "More projects than are named.",
    call_command: "What a call would do: a command.",
    call_commands: "A command with others.",
    call_change: "A change of a file.",
    call_read: "A file or a page is read.",
    call_search: "A folder is searched.",
    call_skill: "A skill is used.",
    call_tool: "A tool is used.",
    call_plan: "The agent has made a plan.",
    call_question: "The agent asks something.",
    call_agent: "Another agent is started.",
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
    guard_refused: "The guard refused a tool call.",
    turn_failed: "The turn ended in an error.",
    server_asks: "An MCP server asks.",
    phase_ended: "A phase of planned work has ended, and the next begins.",
    phase_waits: "It has ended, and the person lets the next begin.",
    rounds_over: "Work was taken up again as often as is allowed.",
    feature_finished: "All phases of a feature are done.",
    compacting: "The context is being compacted.",
    compacted: "It was.",
    session_started: "A session begins.",
    session_ended: "A session ends.",
    nothing_said: "A turn ended without words.",
    settings_changed: "Somebody else changed the guard's settings.",
    acted_as_person: "An agent did what only the person may.",
    client: "The main agent, and a project without a name.",
    some_call: "A call of which nothing is known.",
    some_tool: "A tool without a name.",
    some_rule: "A rule without a name.",
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
        let others = Language::ALL.iter().map(|other| other.words().all());
        for (theirs, ours) in others.flat_map(|other| other.into_iter().zip(english.clone())) {
            assert!(!theirs.1.is_empty(), "{}", theirs.0);
            assert_eq!(placeholders(theirs.1), placeholders(ours.1), "{}", theirs.0);
        }
    }
}
