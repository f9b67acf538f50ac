//! What is in the client's settings files: whether the client takes them, and whether what other
//! people's hooks start is there.
//!
//! The client drops a file that it does not like without a word, and all hooks in it with it.

use bellwether_protocol::claude::version::Version;
use bellwether_protocol::claude::{catalog, feature};
use bellwether_protocol::event::Kind;
use serde_json::Value;

use super::{Context, Finding};
use crate::doctor::command_line::CommandLine;
use crate::doctor::file;
use crate::doctor::finding::or_good;
use crate::doctor::settings_files::{Content, Entry, SettingsFile};

pub(super) const ABOUT: &str =
    "Claude Code takes each settings file, and what hooks in it start is there";

/// What comes of something that the client does not take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ignored {
    File,
    Event,
    Hook,
}

impl Ignored {
    fn told(self) -> &'static str {
        match self {
            Self::File => "Claude Code ignores the whole file",
            Self::Event => "Claude Code ignores this event",
            Self::Hook => "Claude Code ignores this hook",
        }
    }
}

pub(super) fn run(context: &Context<'_>) -> Vec<Finding> {
    let version = context.client.version();
    let findings = context
        .settings
        .iter()
        .flat_map(|file| in_file(file, version))
        .collect();
    let there = |file: &&SettingsFile| !matches!(file.content, Content::Missing);
    let count = context.settings.iter().filter(there).count();
    let good = match count {
        0 => "there are none here".to_owned(),
        1 => "the one settings file is well-formed".to_owned(),
        count => format!("{count} settings files are well-formed"),
    };
    or_good(findings, good)
}

fn in_file(file: &SettingsFile, version: Version) -> Vec<Finding> {
    let value = match &file.content {
        Content::Missing => return Vec::new(),
        Content::Unreadable(why) => return vec![dropped(file, "", why, Ignored::File)],
        Content::Said(value) => value,
    };
    let complaints = Complaints::about(value, version);
    let refused = complaints
        .0
        .iter()
        .map(|complaint| dropped(file, &complaint.place, &complaint.what, complaint.so));
    let absent = file
        .entries()
        .into_iter()
        .filter(|entry| !entry.is_ours())
        .filter_map(|entry| not_there(&entry));
    refused.chain(absent).collect()
}

fn dropped(file: &SettingsFile, place: &str, what: &str, so: Ignored) -> Finding {
    let path = file.path.display();
    let place = if place.is_empty() {
        String::new()
    } else {
        format!(", {place}")
    };
    let text = format!("{path}{place}: {what}; {}", so.told());
    let finding = if so == Ignored::File {
        Finding::problem(text)
    } else {
        Finding::warning(text)
    };
    finding.advise(format!("correct {path}"))
}

/// A program or script of somebody's hook that is not there. A missing script is the worse: an
/// interpreter then exits with 2, which the client takes for a refusal of everything.
fn not_there(entry: &Entry<'_>) -> Option<Finding> {
    let command = entry.command.as_ref()?;
    let path = entry.file.path.display();
    let said = |what: &str, why: &str| format!("{path}, {}: {what} {why}", entry.place);
    if let Some(script) = command.script()
        && !std::path::Path::new(script).exists()
    {
        let text = format!(
            "{}; this may block the agent",
            said(script, "does not exist")
        );
        return Some(Finding::problem(text).advise("put the script there, or remove the hook"));
    }
    let (program, why) = absent_program(command)?;
    Some(Finding::warning(said(program, why)).advise("put the program there, or remove the hook"))
}

/// Only paths are looked at: a mere name may be a word of the shell.
fn absent_program(command: &CommandLine) -> Option<(&str, &'static str)> {
    let program = command
        .program()
        .filter(|program| program.starts_with('/'))?;
    let why = file::runnable(std::path::Path::new(program)).err()?;
    Some((program, why))
}

/// Something that the client does not take.
struct Complaint {
    place: String,
    what: String,
    so: Ignored,
}

/// All that one version of the client does not take in a file.
struct Complaints(Vec<Complaint>, Version);

impl Complaints {
    fn about(settings: &Value, version: Version) -> Self {
        let mut complaints = Self(Vec::new(), version);
        if !settings.is_object() {
            complaints.add("", "it must be an object", Ignored::File);
        }
        if let Some(schema) = settings.get("$schema") {
            complaints.schema(schema);
        }
        match settings.get("hooks") {
            None => {}
            Some(Value::Object(events)) => {
                for (event, groups) in events {
                    complaints.event(event, groups);
                }
            }
            Some(_) => complaints.add("hooks", "it must be an object", Ignored::File),
        }
        complaints
    }

    fn add(&mut self, place: &str, what: impl Into<String>, so: Ignored) {
        self.0.push(Complaint {
            place: place.to_owned(),
            what: what.into(),
            so,
        });
    }

    fn schema(&mut self, schema: &Value) {
        let any = feature::ANY_SCHEMA_IN_SETTINGS.has(self.1);
        if !(any && schema.is_string() || schema == feature::SETTINGS_SCHEMA) {
            let what = format!("it must be \"{}\"", feature::SETTINGS_SCHEMA);
            self.add("$schema", what, Ignored::File);
        }
    }

    fn event(&mut self, event: &str, groups: &Value) {
        let place = format!("hooks.{event}");
        let kind = Kind::from_name(event);
        if !catalog::entry(kind).is_some_and(|entry| entry.support.has(self.1)) {
            let so = if feature::UNKNOWN_EVENT_IN_SETTINGS.has(self.1) {
                Ignored::Event
            } else {
                Ignored::File
            };
            self.add(
                &place,
                format!("Claude Code {} has no such event", self.1),
                so,
            );
        }
        let Some(groups) = groups.as_array() else {
            let so = if feature::BAD_LIST_IN_SETTINGS.has(self.1) {
                Ignored::Event
            } else {
                Ignored::File
            };
            return self.add(&place, "it must be a list", so);
        };
        for (index, group) in groups.iter().enumerate() {
            self.group(kind, &format!("{place}[{index}]"), group);
        }
    }

    fn group(&mut self, kind: Kind, place: &str, group: &Value) {
        if group
            .get("matcher")
            .is_some_and(|matcher| !matcher.is_string())
        {
            self.add(
                &format!("{place}.matcher"),
                "it must be a text",
                Ignored::File,
            );
        }
        let Some(handlers) = group.get("hooks").and_then(Value::as_array) else {
            return self.add(place, "it must have a list `hooks`", Ignored::File);
        };
        for (index, handler) in handlers.iter().enumerate() {
            self.handler(kind, &format!("{place}.hooks[{index}]"), handler);
        }
    }

    fn handler(&mut self, kind: Kind, place: &str, handler: &Value) {
        let written = handler
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let known = feature::HANDLER_TYPES
            .iter()
            .any(|(name, support)| *name == written && support.has(self.1));
        if !known {
            let guards = matches!(kind, Kind::PreToolUse | Kind::PermissionRequest);
            let so = if feature::BAD_TYPE_IN_SETTINGS.has(self.1) && !guards {
                Ignored::Hook
            } else {
                Ignored::File
            };
            return self.add(
                &format!("{place}.type"),
                format!("there is no type \"{written}\""),
                so,
            );
        }
        if written == "command" && !handler.get("command").is_some_and(Value::is_string) {
            self.add(
                &format!("{place}.command"),
                "it must be a text",
                Ignored::File,
            );
        }
        if handler
            .get("timeout")
            .is_some_and(|timeout| !timeout.is_number())
        {
            let what = "it must be a number of seconds, without quotes";
            self.add(&format!("{place}.timeout"), what, Ignored::File);
        }
        if handler
            .get("args")
            .is_some_and(|words| !is_list_of_texts(words))
        {
            self.add(
                &format!("{place}.args"),
                "it must be a list of texts",
                Ignored::File,
            );
        }
    }
}

fn is_list_of_texts(value: &Value) -> bool {
    value
        .as_array()
        .is_some_and(|words| words.iter().all(Value::is_string))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Version, settings, the place of the complaint, and what comes of it (nothing: no complaint).
    const CASES: &str = r#"
        2.1.325 | {} | |
        2.1.325 | {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": 1.5, "args": ["a"], "new": 1}]}]}} | |
        2.1.325 | {"$schema": "https://example.org"} | |
        2.1.100 | {"$schema": "https://json.schemastore.org/claude-code-settings.json"} | |
        2.1.325 | [] | | file
        2.1.325 | {"hooks": []} | hooks | file
        2.1.325 | {"$schema": 1} | $schema | file
        2.1.100 | {"$schema": "https://example.org"} | $schema | file
        2.1.325 | {"hooks": {"Nonsense": []}} | hooks.Nonsense | event
        2.1.100 | {"hooks": {"PostToolBatch": []}} | hooks.PostToolBatch | file
        2.1.325 | {"hooks": {"Stop": {}}} | hooks.Stop | event
        2.1.100 | {"hooks": {"Stop": {}}} | hooks.Stop | file
        2.1.325 | {"hooks": {"Stop": [{}]}} | hooks.Stop[0] | file
        2.1.325 | {"hooks": {"Stop": [{"matcher": 1, "hooks": []}]}} | hooks.Stop[0].matcher | file
        2.1.325 | {"hooks": {"Stop": [{"hooks": [{"type": "shout"}]}]}} | hooks.Stop[0].hooks[0].type | hook
        2.1.325 | {"hooks": {"PreToolUse": [{"hooks": [{}]}]}} | hooks.PreToolUse[0].hooks[0].type | file
        2.1.100 | {"hooks": {"Stop": [{"hooks": [{"type": "mcp_tool"}]}]}} | hooks.Stop[0].hooks[0].type | file
        2.1.325 | {"hooks": {"Stop": [{"hooks": [{"type": "command"}]}]}} | hooks.Stop[0].hooks[0].command | file
        2.1.325 | {"hooks": {"Stop": [{"hooks": [{"type": "prompt", "timeout": "5"}]}]}} | hooks.Stop[0].hooks[0].timeout | file
        2.1.325 | {"hooks": {"Stop": [{"hooks": [{"type": "prompt", "args": [1]}]}]}} | hooks.Stop[0].hooks[0].args | file
    "#;

    #[test]
    fn what_the_client_does_not_take_is_named_with_its_place() {
        for case in CASES.trim().lines() {
            let columns: Vec<&str> = case.split('|').map(str::trim).collect();
            let [version, settings, place, so] = columns[..] else {
                panic!("{case}")
            };
            let settings = serde_json::from_str(settings).unwrap();
            let found = Complaints::about(&settings, Version::parse(version).unwrap()).0;
            let found: Vec<_> = found
                .iter()
                .map(|one| (one.place.as_str(), one.so))
                .collect();
            let expected = match so {
                "" => vec![],
                "file" => vec![(place, Ignored::File)],
                "event" => vec![(place, Ignored::Event)],
                _ => vec![(place, Ignored::Hook)],
            };
            assert_eq!(found, expected, "{case}");
        }
    }
}
