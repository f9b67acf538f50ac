//! What we write for the client, compared with what each of its versions was read to take: the plugin's hooks, which are
//! for all versions since 2.0.30, and the settings for each of them. The numbers are those of seed 003.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use bellwether_protocol::client::{Client, Product, Version};
use bellwether_spine::Home;
use serde_json::Value;

use super::{OnFailure, Scope, Wanted, Way};
use crate::settings::check::rejections;
use crate::settings::{Document, register};

const HOOKS: &str = include_str!("../../../../plugin/hooks/hooks.json");
/// A version and what came and went with it, a line each.
const VERSIONS: &str = include_str!("../../fixtures/client-events.tsv");

const TASK_MOVED: &str = "TaskUpdate";
/// The first versions that take a field.
const ARGS: Version = Version(2, 1, 139);
const ON_FAILURE: Version = Version(2, 1, 295);

/// Every version that was read, with the events that it knows.
fn versions() -> Vec<(Version, BTreeSet<&'static str>)> {
    let mut known = BTreeSet::new();
    let lines = VERSIONS.lines().filter(|line| !line.starts_with('#'));
    let versions = lines.map(|line| {
        let (version, changes) = line.split_once('\t').unwrap();
        for change in changes.split(' ') {
            match change.split_at(1) {
                ("+", event) => assert!(known.insert(event), "{line}"),
                ("-", event) => assert!(known.remove(event), "{line}"),
                _ => assert_eq!(change, "=", "{line}"),
            }
        }
        (Version::parse(version).unwrap(), known.clone())
    });
    versions.collect()
}

fn plugin() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugin")
}

fn hooks() -> Value {
    serde_json::from_str(HOOKS).unwrap()
}

/// Every event with the groups that a file has for it.
fn groups(file: &Value) -> Vec<(&str, &Value)> {
    let events = file["hooks"].as_object().unwrap().iter();
    let groups = events.flat_map(|(event, groups)| {
        let groups = groups.as_array().unwrap().iter();
        groups.map(move |group| (event.as_str(), group))
    });
    groups.collect()
}

/// Every event with the handlers that a file has for it.
fn handlers(file: &Value) -> Vec<(&str, &Value)> {
    let handlers = groups(file).into_iter().flat_map(|(event, group)| {
        let handlers = group["hooks"].as_array().unwrap().iter();
        handlers.map(move |handler| (event, handler))
    });
    handlers.collect()
}

fn is_executable(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|seen| seen.is_file() && seen.permissions().mode() & 0o111 == 0o111)
}

#[test]
fn compat_01_the_plugin_has_no_teammate_idle() {
    assert!(!HOOKS.contains("TeammateIdle"));
}

#[test]
fn compat_02_the_plugin_has_no_task_completed() {
    assert!(!HOOKS.contains("TaskCompleted"));
}

#[test]
fn compat_03_the_plugin_has_no_schema() {
    assert!(!HOOKS.contains("$schema"));
}

#[test]
fn compat_05_the_plugins_hooks_are_valid_json() {
    let hooks = hooks();
    let mut keys: Vec<&String> = hooks.as_object().unwrap().keys().collect();
    keys.sort();
    assert_eq!(keys, ["description", "hooks"]);
    assert!(
        hooks["description"]
            .as_str()
            .is_some_and(|text| !text.is_empty())
    );
}

#[test]
fn compat_06_every_version_knows_every_event_of_the_plugin() {
    let hooks = hooks();
    let events: BTreeSet<&str> = groups(&hooks).into_iter().map(|(event, _)| event).collect();
    let versions = versions();
    assert!(versions.len() > 150, "{}", versions.len());
    for (version, known) in &versions {
        let unknown: Vec<&&str> = events.difference(known).collect();
        assert!(unknown.is_empty(), "{version}: {unknown:?}");
        let client = Client::new(Product::Claude, *version);
        let found = rejections(&Document::parse(HOOKS).unwrap(), client);
        assert_eq!(found, [], "{version}");
    }
    assert_eq!(
        events, versions[0].1,
        "and it has all that the oldest knows"
    );
}

#[test]
fn compat_07_every_program_of_the_plugin_exists() {
    let hooks = hooks();
    for (event, handler) in handlers(&hooks) {
        let command = handler["command"].as_str().unwrap();
        let path = command.strip_prefix("\"${CLAUDE_PLUGIN_ROOT}\"/").unwrap();
        let path = plugin().join(path.split(' ').next().unwrap());
        assert!(is_executable(&path), "{event}: {}", path.display());
    }
}

#[test]
fn alt_01_the_plugin_has_a_group_for_the_tool_that_moves_a_task() {
    let hooks = hooks();
    let matchers = groups(&hooks)
        .into_iter()
        .filter(|(event, _)| *event == "PostToolUse")
        .filter_map(|(_, group)| group["matcher"].as_str());
    let matchers: Vec<&str> = matchers.collect();
    assert!(matchers.contains(&TASK_MOVED), "{matchers:?}");
    // The oldest client was seen to run equal commands of two groups twice, so the other group leaves this tool out.
    assert_eq!(matchers, ["^(?!TaskUpdate$)", TASK_MOVED]);
}

/// Older clients refuse or ignore what they do not know; a number of milliseconds would be hours.
#[test]
fn the_plugins_handlers_are_shell_commands_with_seconds() {
    let hooks = hooks();
    for (event, handler) in handlers(&hooks) {
        let mut fields: Vec<&String> = handler.as_object().unwrap().keys().collect();
        fields.sort();
        assert_eq!(fields, ["command", "timeout", "type"], "{event}");
        assert_eq!(handler["type"], "command");
        let seconds = handler["timeout"].as_u64().unwrap();
        assert!((1..=600).contains(&seconds), "{event}: {seconds}");
    }
}

/// A settings file with our entries for a version, made of another file.
fn settings(version: Version, program: &Path, before: &str) -> String {
    let home = Home::find(Some("/home/ann/bw".into())).unwrap();
    let client = Client::new(Product::Claude, version);
    let wanted = Wanted {
        program: program.to_str().unwrap(),
        way: Way::AtOnce,
        client,
        scope: Scope::User,
        home: &home,
        only: &[],
        on_failure: OnFailure::Block,
    };
    let before = Document::parse(before).unwrap();
    let change = register(&before, &wanted.entries().unwrap(), client, None).unwrap();
    change.text
}

/// The program of a handler, as the client or its shell finds it.
fn started(handler: &Value) -> PathBuf {
    let command = handler["command"].as_str().unwrap();
    if handler.get("args").is_some() {
        return PathBuf::from(command);
    }
    let word = command
        .strip_prefix('\'')
        .and_then(|rest| rest.split_once('\''));
    PathBuf::from(word.unwrap().0)
}

fn in_every_version(check: impl Fn(Version, &BTreeSet<&str>, &str, &Value)) {
    let folder = tempfile::Builder::new().prefix("a b").tempdir().unwrap();
    let program = folder.path().join("bellwether-hook");
    std::fs::write(&program, "").unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    for (version, known) in versions() {
        for before in ["{}", r#"{"model": "opus", "hooks": {"Stop": []}}"#] {
            let text = settings(version, &program, before);
            let file: Value = serde_json::from_str(&text).unwrap();
            check(version, &known, &text, &file);
        }
    }
}

#[test]
fn compat_01_02_06_settings_have_no_event_that_their_version_lacks() {
    in_every_version(|version, known, text, file| {
        for (event, _) in groups(file) {
            assert!(known.contains(event), "{version}: {event}");
        }
        for event in ["TeammateIdle", "TaskCompleted"] {
            assert_eq!(text.contains(event), known.contains(event), "{version}");
        }
    });
}

#[test]
fn compat_03_05_settings_are_taken_by_their_version() {
    in_every_version(|version, _, text, _| {
        assert!(!text.contains("$schema"), "{version}");
        let client = Client::new(Product::Claude, version);
        let found = rejections(&Document::parse(text).unwrap(), client);
        assert_eq!(found, [], "{version}");
    });
}

#[test]
fn compat_07_every_program_of_settings_exists() {
    in_every_version(|version, _, _, file| {
        for (event, handler) in handlers(file) {
            assert!(is_executable(&started(handler)), "{version}: {event}");
        }
    });
}

#[test]
fn settings_have_fields_only_where_their_version_takes_them() {
    in_every_version(|version, _, _, file| {
        for (event, handler) in handlers(file) {
            let has = |field: &str| handler.get(field).is_some();
            assert_eq!(has("args"), version >= ARGS, "{version}: {event}");
            let guarded = event == "PreToolUse" && version >= ON_FAILURE;
            assert_eq!(has("onFailure"), guarded, "{version}: {event}");
            assert!(
                handler["timeout"]
                    .as_u64()
                    .is_some_and(|seconds| seconds <= 600)
            );
        }
    });
}

#[test]
fn alt_01_settings_hear_the_tool_that_moves_a_task() {
    in_every_version(|version, _, _, file| {
        let all = file["hooks"]["PostToolUse"].as_array().unwrap();
        let hears = all.iter().any(|group| group.get("matcher").is_none());
        assert!(hears, "{version}: {TASK_MOVED}");
    });
}
