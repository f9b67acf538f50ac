//! One recorded story, told by a client that has every event and by one that lacks some: the same is stored and announced.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use bellwether_protocol::client::{Client, Product, Version};
use bellwether_tests::Installation;
use bellwether_tests::installation::filled_stdin;
use serde_json::Value;

const NEWEST: &str = "2.1.325";

/// The events of a recorded session, in their order.
fn story(name: &str) -> Result<Vec<Value>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let text = fs::read_to_string(folder.join(name)).with_context(|| name.to_owned())?;
    let payload = |line: &str| -> Result<Value> {
        let recorded: Value = serde_json::from_str(line)?;
        Ok(recorded["payload"].clone())
    };
    text.lines().map(payload).collect()
}

/// What is left of a story when a client of that version tells it.
fn told_by(version: &str, story: &[Value]) -> Result<Vec<Value>> {
    let version = Version::parse(version).context("a version")?;
    let client = Client::new(Product::Claude, version);
    let name = |payload: &Value| {
        payload["hook_event_name"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let known = |payload: &&Value| client.entry(client.kind_of(&name(payload))).is_some();
    Ok(story.iter().filter(known).cloned().collect())
}

/// What became of a story: the events that were stored, and what was said of them.
#[derive(Debug, PartialEq)]
struct Kept {
    stored: Vec<String>,
    said: Vec<String>,
}

fn keep(version: &str, way: &str, story: &[Value]) -> Result<Kept> {
    let place = Installation::fresh_with("preset: full\nquiet:\n  min_turn_seconds: 0\n")?;
    let _daemon = place.start_daemon(&[])?;
    for payload in story {
        let (_open, stdin) = filled_stdin(payload.to_string().as_bytes())?;
        let mut hook = place.hook();
        hook.args(["--client", version, "--from", way]).stdin(stdin);
        assert!(hook.status()?.success());
    }
    place.settle()?;
    let events = place.events()?;
    let recorded = place.root().join("recorded.jsonl");
    let lines: Vec<String> = events.iter().map(Value::to_string).collect();
    fs::write(&recorded, lines.join("\n"))?;
    let file = recorded.display().to_string();
    let replayed = place.printed(&["announce", "--replay", &file, "--json"])?;
    let mut stored: Vec<String> = events.iter().filter_map(shown).collect();
    stored.sort();
    Ok(Kept {
        stored,
        said: replayed.lines().filter_map(said).collect(),
    })
}

/// An event by what it says; `None` for what has no stand-in, and for the rig's own marker.
fn shown(event: &Value) -> Option<String> {
    let payload = &event["payload"];
    let name = payload["hook_event_name"].as_str()?;
    let lost = ["PostToolBatch", "InstructionsLoaded"].contains(&name);
    let call = payload["tool_use_id"].as_str().unwrap_or_default();
    (!lost && !call.starts_with("mark-")).then_some(())?;
    let parts = [
        "session_id",
        "agent_id",
        "agent_type",
        "teammate_name",
        "task_id",
        "task_subject",
        "task_description",
        "trigger",
        "tool_use_id",
    ];
    let parts = parts.map(|part| payload[part].as_str().unwrap_or("-"));
    Some(format!("{name} {}", parts.join(" ")))
}

fn said(line: &str) -> Option<String> {
    let decided: Value = serde_json::from_str(line).ok()?;
    let text = decided["outcome"]["said"]["text"].as_str()?;
    Some(format!("{}: {text}", decided["handler"].as_str()?))
}

#[test]
fn a_story_is_the_same_with_and_without_the_events_that_tell_it() -> Result<()> {
    for (name, versions) in [
        ("stories/tasks.jsonl", &["2.1.32", "2.1.67", "2.0.45"][..]),
        ("flock/teammates.jsonl", &["2.1.32"]),
        ("flock/subagents.jsonl", &["2.0.40"]),
        ("flock/compaction.jsonl", &["2.1.75"]),
    ] {
        let story = story(name)?;
        let whole = keep(NEWEST, "user", &story)?;
        assert!(!whole.said.is_empty(), "{name}");
        for version in versions {
            let left = told_by(version, &story)?;
            assert!(
                left.len() < story.len(),
                "{name}: {version} lacks something"
            );
            let kept = keep(version, "user", &left)?;
            assert_eq!(kept, whole, "{name} as {version} tells it");
        }
    }
    Ok(())
}

/// The plugin registers what its oldest client has, whichever client it runs in.
#[test]
fn a_story_is_the_same_by_the_plugin() -> Result<()> {
    let story = story("stories/tasks.jsonl")?;
    let whole = keep(NEWEST, "user", &story)?;
    let kept = keep(NEWEST, "plugin", &told_by("2.0.30", &story)?)?;
    assert_eq!(kept, whole);
    Ok(())
}
