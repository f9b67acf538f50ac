//! What a tool call would do, in a few words: no paths, no secrets, nothing that takes long to say.

use bellwether_protocol::event::{Deed, Tool, ToolKind};

use crate::language::Words;
use crate::speech;
use crate::template::fill;

/// Names are cut at so many characters, and those of tools at so many words.
const LONGEST: usize = 32;
const MOST_WORDS: usize = 6;

/// What a call would do. The name of its tool says it where nothing else does.
pub(super) fn in_words(tool: Option<&Tool<'_>>, words: &Words) -> String {
    let found = tool.and_then(|tool| match tool.does {
        ToolKind::Plan => Some(words.call_plan.to_owned()),
        ToolKind::Question => Some(words.call_question.to_owned()),
        ToolKind::AgentStart => Some(words.call_agent.to_owned()),
        ToolKind::Skill => skill(tool, words),
        ToolKind::Mcp => None,
        _ => deed(tool, words),
    });
    let named = || tool.and_then(|tool| of_name(&tool.name, words));
    found
        .or_else(named)
        .unwrap_or_else(|| words.some_call.to_owned())
}

/// What a call of a tool would do of which only the name is known.
pub(super) fn of_name(name: &str, words: &Words) -> Option<String> {
    let spoken = tool_name(name)?;
    let said: Vec<&str> = spoken.split(' ').take(MOST_WORDS).collect();
    let said: String = said.join(" ").chars().take(LONGEST).collect();
    Some(about(words.call_tool, &apart(&said)))
}

/// A tool's name as it is spoken; `mcp__server__do_it` is "server do it".
pub(super) fn tool_name(name: &str) -> Option<String> {
    let name = speech::line(name, super::moment::LONGEST);
    let spoken = name.strip_prefix("mcp__").map(|rest| {
        let spaced = rest.replace('_', " ");
        spaced.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    Some(spoken.unwrap_or(name)).filter(|name| !name.is_empty())
}

/// `WebSearch` as two words.
fn apart(name: &str) -> String {
    let mut words = String::new();
    let mut after_small = false;
    for c in name.chars() {
        if after_small && c.is_uppercase() {
            words.push(' ');
        }
        after_small = c.is_lowercase();
        words.push(c);
    }
    if words.len() > name.len() {
        words.to_lowercase()
    } else {
        words
    }
}

fn skill(tool: &Tool<'_>, words: &Words) -> Option<String> {
    let name = speech::line(&tool.skill()?.0, LONGEST);
    (!name.is_empty()).then(|| about(words.call_skill, &name))
}

fn deed(tool: &Tool<'_>, words: &Words) -> Option<String> {
    let file = |template: &str, path: &str| {
        let name = speech::file_name(path, LONGEST)?;
        Some(about(template, &name))
    };
    match tool.deed() {
        Deed::Command(command) => {
            let brief = speech::brief(&command.text)?;
            let template = if brief.more {
                words.call_commands
            } else {
                words.call_command
            };
            Some(about(template, &brief.words))
        }
        Deed::Change(change) => file(words.call_change, &change.path),
        Deed::Read(path) => file(words.call_read, &path),
        Deed::Search(path) => file(words.call_search, &path),
        Deed::Other => {
            let host = speech::host(&tool.address()?)?;
            Some(about(words.call_read, &speech::line(&host, LONGEST)))
        }
    }
}

fn about(template: &str, what: &str) -> String {
    fill(template, &[("what", what)])
}
