//! The guard looking back: what it would have stopped in past sessions, what it did stop, and whether that was right.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context as _, Result};
use bellwether_tests::Installation;
use bellwether_tests::installation::as_person_does;
use bellwether_tests::run::{fed, printed};
use serde_json::{Value, json};

/// A line of a transcript with one call of the shell.
fn call(id: &str, cwd: &Path, command: &str) -> String {
    json!({
        "type": "assistant", "cwd": cwd, "timestamp": "2026-03-04T05:06:07.000Z",
        "message": {"content": [{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}]},
    })
    .to_string()
        + "\n"
}

/// Two projects in a client's folder: one with commands that the guard stops, one without, and one that is gone.
fn past(place: &Installation) -> Result<()> {
    let (shop, docs) = (place.root().join("shop"), place.root().join("docs"));
    fs::create_dir_all(shop.join(".git"))?;
    fs::create_dir_all(&docs)?;
    let projects = place.client_folder().join("projects");
    fs::create_dir_all(projects.join("-shop/s1/subagents"))?;
    fs::create_dir_all(projects.join("-docs"))?;
    let gone = place.root().join("gone");
    let first = [
        call("t1", &shop, "cargo build"),
        call("t2", &shop, "rm -rf ~"),
        call("t3", &shop, "TOKEN=hunter2 git push --force origin main"),
        call("t4", &gone, "rm -rf ~"),
    ];
    fs::write(projects.join("-shop/s1.jsonl"), first.concat())?;
    // A session that went on in another file has the same call; a subagent has its own.
    let again = [call("t2", &shop, "rm -rf ~"), call("t5", &shop, "rm -rf ~")];
    fs::write(projects.join("-shop/s2.jsonl"), again.concat())?;
    let agent = call("t6", &shop, "ls");
    fs::write(projects.join("-shop/s1/subagents/agent-1.jsonl"), agent)?;
    fs::write(projects.join("-docs/s3.jsonl"), call("t7", &docs, "ls"))?;
    Ok(())
}

#[test]
fn past_sessions_show_what_the_guard_would_cost() -> Result<()> {
    let place = Installation::fresh()?;
    past(&place)?;
    let replay = |words: &[&str]| {
        let mut command = place.cli(["guard", "replay"].into_iter().chain(words.iter().copied()));
        command.env("CLAUDE_CONFIG_DIR", place.client_folder());
        printed(&mut command)
    };
    let all: Value = serde_json::from_str(&replay(&["--all", "--json"])?)?;
    let counts = ["calls", "asked", "refused", "left_out"].map(|name| all[name].as_u64());
    assert_eq!(counts, [6, 0, 3, 1].map(Some), "{all:#}");
    let shop = place.root().join("shop");
    let projects = all["projects"].as_array().context("no projects")?;
    let found = projects
        .iter()
        .find(|project| project["project"] == shop.to_string_lossy().as_ref());
    let found = found.context("the project is not there")?;
    assert_eq!(
        (&found["calls"], &found["per_thousand"]),
        (&json!(5), &json!(600.0))
    );
    let stops = found["stops"].as_array().context("no stops")?;
    let stops: Vec<_> = stops
        .iter()
        .map(|stop| (&stop["rule"], &stop["times"]))
        .collect();
    assert_eq!(
        stops,
        [
            (&json!("delete"), &json!(2)),
            (&json!("git-push"), &json!(1))
        ]
    );
    let text = replay(&["--all"])?;
    let places = [
        "shop\n  5 calls, 0 would be asked about, 3 refused (600.0 in 1,000)",
        "1 call left out",
    ];
    assert!(places.iter().all(|part| text.contains(part)), "{text}");
    assert!(
        text.contains("(2 times)") && !text.contains("hunter2"),
        "{text}"
    );
    let one = place.client_folder().join("projects/-docs/s3.jsonl");
    let one = replay(&[one.to_str().context("no text")?])?;
    assert!(
        one.ends_with("1 project: 1 call, 0 would be asked about, 0 refused (0.0 in 1,000)\n"),
        "{one}"
    );
    Ok(())
}

fn stopped(place: &Installation, session: &str, command: &str) -> Result<()> {
    let event = json!({
        "hook_event_name": "PreToolUse", "session_id": session, "cwd": place.root(), "permission_mode": "default",
        "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": command,
    });
    let output = fed(place.hook(), event.to_string())?;
    assert!(!output.stdout.is_empty(), "{command} was not stopped");
    Ok(())
}

#[test]
fn stops_are_reviewed_with_one_key_and_counted() -> Result<()> {
    let place = Installation::fresh()?;
    for command in ["rm -rf ~", "git push --force origin main", "rm -rf /etc"] {
        stopped(&place, "s", command)?;
    }
    stopped(&place, "demo-1-shop", "rm -rf /usr")?;
    let log = place.printed(&["guard", "log"])?;
    let lines: Vec<&str> = log.lines().collect();
    assert!(
        lines[3].ends_with("[demo]") && !lines[0].contains("[demo]"),
        "{log}"
    );
    let json = place.printed(&["guard", "log", "--json"])?;
    let first: Value = serde_json::from_str(json.lines().next().unwrap_or_default())?;
    let id = first["subject_hash"].as_str().context("no hash")?;
    assert!(lines[0].contains(&id[..12]), "{log}");
    let line = format!(
        "{} --home {} guard log --review",
        place.programs().main().display(),
        place.root().display()
    );
    // The newest first: right, then something that is no answer, then wrong, then enough.
    let keys = fs::File::open({
        let path = place.root().join("keys");
        fs::write(&path, "yxNq")?;
        path
    })?;
    let mut person = as_person_does("script".as_ref());
    let person = person
        .args(["-qec", &line, "/dev/null"])
        .stdin(keys)
        .stdout(Stdio::piped());
    let said = String::from_utf8(person.output()?.stdout)?;
    assert!(
        said.contains("2 stops reviewed") && !said.contains("[demo]"),
        "{said}"
    );
    let stats: Value = serde_json::from_str(&place.printed(&["guard", "stats", "--json"])?)?;
    let total = json!({"asked": 0, "refused": 3, "right": 1, "wrong": 1});
    assert_eq!(stats["total"], total, "{stats:#}");
    assert_eq!(stats["rules"]["git-push"]["wrong"], 1, "{stats:#}");
    assert_eq!(
        stats["rules"]["delete"],
        json!({"asked": 0, "refused": 2, "right": 1, "wrong": 0})
    );
    let shown = place.printed(&["guard", "stats"])?;
    assert!(
        shown.contains("git-push") && shown.contains("wrong"),
        "{shown}"
    );
    let blind = place.cli(["guard", "log", "--review"]).output()?;
    assert!(!blind.status.success(), "nobody sits at a terminal");
    Ok(())
}
