//! Hooks in settings and in a plugin, each with what is said about it.

use std::os::unix::fs::PermissionsExt as _;

use bellwether_protocol::client::{Client, Product, Version};
use serde_json::json;

use super::*;
use crate::settings::Document;

const NOW: Version = Version(2, 1, 325);

/// What is said about the hooks of a file, without the place.
fn said(hooks: &serde_json::Value, kind: FileKind, version: Version) -> Vec<String> {
    let document = Document::parse(json!({"hooks": hooks}).to_string()).unwrap();
    let looked: Vec<Looked<'_>> = document
        .entries()
        .into_iter()
        .map(|entry| Looked {
            place: "f".into(),
            kind,
            command: entry.command().map(|command| match arguments(&entry) {
                Some(words) => CommandLine::of_exec_form(
                    command,
                    words.iter().map(|word| Some(*word)),
                    std::path::Path::new("/p"),
                ),
                None => CommandLine::of_shell(command, std::path::Path::new("/p")),
            }),
            entry,
        })
        .collect();
    let client = Client::new(Product::Claude, version);
    let found = findings(&looked, client).into_iter();
    found
        .map(|finding| {
            assert!(finding.advice.is_some(), "{}", finding.text);
            finding.text
        })
        .collect()
}

fn hook(fields: &serde_json::Value) -> serde_json::Value {
    let mut handler = json!({"type": "command", "command": "true"});
    for (name, value) in fields.as_object().unwrap() {
        handler[name] = value.clone();
    }
    json!([{"hooks": [handler]}])
}

#[test]
fn fields_without_effect_are_told_by_version() {
    for (event, fields, version, expected) in [
        (
            "PreToolUse",
            json!({"timeout": 5000}),
            NOW,
            "f: `timeout` is in seconds: 5000 are 83 minutes",
        ),
        ("PreToolUse", json!({"timeout": 60}), NOW, ""),
        ("PreToolUse", json!({"timeout": 600}), NOW, ""),
        ("Stop", json!({"timeout": 3600}), NOW, ""),
        (
            "Stop",
            json!({"timeout": 30000}),
            NOW,
            "f: `timeout` is in seconds: 30000 are 500 minutes",
        ),
        ("Stop", json!({"async": true}), NOW, ""),
        (
            "Stop",
            json!({"async": true}),
            Version(2, 1, 14),
            "f: Claude Code 2.1.14 does not know `async`, so it waits for the hook",
        ),
        ("Stop", json!({"async": false}), Version(2, 1, 14), ""),
        ("PreToolUse", json!({"if": "Bash(rm *)"}), NOW, ""),
        (
            "PreToolUse",
            json!({"if": "Bash(rm *)"}),
            Version(2, 1, 84),
            "f: Claude Code 2.1.84 does not know `if`, so it runs the hook every time",
        ),
        (
            "Stop",
            json!({"if": "Bash(rm *)"}),
            NOW,
            "f: `if` is about tool calls, and Stop is not: the hook never runs",
        ),
        (
            "Stop",
            json!({"once": true}),
            NOW,
            "f: `once` has no effect in settings: the hook runs every time",
        ),
        (
            "Stop",
            json!({"once": true}),
            Version(2, 0, 76),
            "f: Claude Code 2.0.76 does not know `once`, so it runs the hook every time",
        ),
        (
            "Stop",
            json!({"args": ["a"]}),
            Version(2, 1, 138),
            "f: Claude Code 2.1.138 does not know `args`, so it starts the command without its arguments",
        ),
        ("Stop", json!({"args": []}), Version(2, 1, 138), ""),
        ("Stop", json!({"statusMessage": "x"}), Version(2, 0, 30), ""),
    ] {
        let hooks = json!({event: hook(&fields)});
        assert_eq!(
            said(&hooks, FileKind::Settings, version).join("\n"),
            expected,
            "{fields}"
        );
    }
    let once = json!({"Stop": hook(&json!({"once": true}))});
    assert!(said(&once, FileKind::Plugin, NOW).is_empty());
}

#[test]
fn matchers_and_events_that_are_never_reached() {
    let with = |event: &str, matcher: &str| {
        let mut groups = hook(&json!({}));
        groups[0]["matcher"] = matcher.into();
        json!({event: groups})
    };
    for (hooks, version, expected) in [
        (with("PreToolUse", "Bash"), NOW, ""),
        (
            with("PreToolUse", "bash"),
            NOW,
            "f: the matcher `bash` never matches: the tool is called Bash",
        ),
        (
            with("PreToolUse", "Ba"),
            NOW,
            "f: the matcher `Ba` never matches: a name must be whole",
        ),
        (
            with("PreToolUse", "Bash, Write"),
            Version(2, 1, 100),
            "f: Claude Code 2.1.100 takes the matcher `Bash, Write` for one name, which never matches",
        ),
        (
            with("PreToolUse", "*.py"),
            NOW,
            "f: the matcher `*.py` cannot be read as a pattern and never matches",
        ),
        (
            with("Stop", "Bash"),
            NOW,
            "f: Stop has no matcher: `Bash` is ignored, the hook runs every time",
        ),
        (with("Stop", "*"), NOW, ""),
        (with("WorktreeCreate", ""), NOW, ""),
        (
            with("MessageDisplay", ""),
            NOW,
            "f: MessageDisplay starts true for every piece of text that is shown",
        ),
    ] {
        assert_eq!(
            said(&hooks, FileKind::Plugin, version).join("\n"),
            expected,
            "{hooks}"
        );
    }
    let mut watched = with("WorktreeCreate", "");
    watched["Stop"] = hook(&json!({}));
    let said = said(&watched, FileKind::Plugin, NOW);
    assert!(said[0].contains("no worktree can be made"), "{said:?}");
}

#[test]
fn what_cannot_be_started_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let script = |name: &str, content: &str, mode: u32| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        path.display().to_string()
    };
    let crlf = "#!/bin/sh\r\nexit 0\r\n";
    for (command, expected) in [
        (script("good", "#!/bin/sh\n", 0o755), ""),
        (script("env", "#!/usr/bin/env sh\n", 0o755), ""),
        (script("binary", "\u{7f}ELF", 0o755), ""),
        (
            script("plain.sh", "#!/bin/sh\n", 0o644),
            "plain.sh is not executable",
        ),
        (
            format!("bash {}", script("by.sh", "#!/bin/sh\n", 0o644)),
            "",
        ),
        (format!("bash {}", script("crlf-by.sh", crlf, 0o644)), ""),
        (script("crlf", crlf, 0o755), "has the line ends of Windows"),
        (
            script("gone", "#!/opt/none/python\n", 0o755),
            "needs /opt/none/python, which does not exist",
        ),
        (
            script("no-env", "#!/usr/bin/env -S none-such run\n", 0o755),
            "needs none-such, which is not there",
        ),
        (
            "bash /none/x.sh".to_owned(),
            "/none/x.sh does not exist; this may block the agent",
        ),
        ("/none/x".to_owned(), "/none/x does not exist"),
        ("some-word-of-a-shell x".to_owned(), ""),
        (folder.path().display().to_string(), "is no file"),
    ] {
        let hooks = json!({"Stop": hook(&json!({"command": command}))});
        let said = said(&hooks, FileKind::Plugin, NOW).join("\n");
        assert!(said.contains(expected), "{command}: {said}");
        assert_eq!(said.is_empty(), expected.is_empty(), "{command}: {said}");
    }
    let named = json!({"command": "none-such-program", "args": []});
    let of_exec = said(&json!({"Stop": hook(&named)}), FileKind::Plugin, NOW);
    assert!(of_exec[0].contains("no program none-such-program is on PATH"));
    let root = json!({"command": "${CLAUDE_PLUGIN_ROOT}/x.sh"});
    let in_settings = said(&json!({"Stop": hook(&root)}), FileKind::Settings, NOW);
    assert!(
        in_settings[0].contains("is known to plugins only"),
        "{in_settings:?}"
    );
    let gone = hook(&json!({"command": "/none/x"}));
    let often = json!({"Stop": gone, "Notification": gone, "SessionEnd": gone});
    assert_eq!(
        said(&often, FileKind::Plugin, NOW),
        ["f and 2 more: /none/x does not exist"]
    );
}
