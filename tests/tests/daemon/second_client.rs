//! Another program's session, from payloads that were recorded from it: read, guarded, stored, shown and announced as if
//! it were the first one's, though it has other names for its events and tools and obeys another reply.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};
use bellwether_tests::Installation;
use serde_json::{Value, json};

use super::fed::give;

/// The session that was recorded.
const SESSION: &str = "0425d41d-9b72-4e48-8932-f43038d02850";

/// A recorded payload, put into one session.
fn recorded(name: &str) -> Result<Value> {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../crates/protocol/fixtures/gemini"
    );
    let path = Path::new(folder).join(format!("{name}.json"));
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut payload: Value = serde_json::from_str(&text)?;
    payload["session_id"] = json!(SESSION);
    Ok(payload)
}

/// The hook as that program would start it, in an environment without any word of the other.
fn hook(place: &Installation) -> Command {
    let mut hook = Command::new(place.hook().get_program());
    hook.env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("HOME", "/home/u")
        .env("GEMINI_PROJECT_DIR", "/home/u/proj")
        .args(["--agent", "gemini", "--home"])
        .arg(place.root())
        .stdin(Stdio::null());
    hook
}

fn visit(place: &Installation, payload: &Value) -> Result<String> {
    let (output, _) = give(hook(place), payload.to_string().as_bytes(), true)?;
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    Ok(String::from_utf8(output.stdout)?)
}

/// The lines of a command that prints JSON.
fn lines(place: &Installation, words: &[&str]) -> Result<Vec<Value>> {
    let output = place.cli(words.iter().copied()).output()?;
    let text = String::from_utf8(output.stdout)?;
    Ok(text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect())
}

/// Gives a recorded payload to the hook, and waits until the announcer has heard it under our name.
fn heard(place: &Installation, name: &str, event: &str) -> Result<()> {
    visit(place, &recorded(name)?)?;
    place.wait_for(event, || {
        let decided = lines(place, &["announce", "--all", "--json"])?;
        Ok(decided.iter().any(|one| one["event"] == event))
    })
}

#[test]
fn another_client_passes_the_whole_story() -> Result<()> {
    let place = Installation::fresh_with("preset: full\n")?;
    // What happened before a daemon starts is heard in silence, and what is overtaken is not told.
    heard(&place, "SessionStart-startup", "SessionStart")?;
    for name in ["BeforeAgent", "BeforeTool-run_shell_command"] {
        assert_eq!(visit(&place, &recorded(name)?)?, "", "{name}");
    }
    let mut dangerous = recorded("BeforeTool-run_shell_command")?;
    dangerous["tool_input"]["command"] = json!("rm -rf ~/");
    let reply: Value = serde_json::from_str(&visit(&place, &dangerous)?)?;
    assert_eq!(reply["decision"], "deny", "{reply}");
    assert!(
        reply["reason"]
            .as_str()
            .is_some_and(|why| why.contains("/home/u")),
        "{reply}"
    );
    assert_eq!(reply["hookSpecificOutput"], Value::Null);
    visit(&place, &recorded("AfterTool-run_shell_command")?)?;
    heard(
        &place,
        "AfterTool-run_shell_command-exit3",
        "PostToolUseFailure",
    )?;
    heard(&place, "Notification-ToolPermission", "PermissionRequest")?;
    heard(&place, "AfterAgent", "Stop")?;
    place.wait_for("all events", || {
        Ok(lines(&place, &["events", "--json"])?.len() == 8)
    })?;

    let shown = String::from_utf8(place.cli(["events"]).output()?.stdout)?;
    let names: Vec<&str> = shown
        .lines()
        .filter_map(|line| line.split_whitespace().nth(4))
        .collect();
    assert_eq!(
        names,
        [
            "SessionStart",
            "UserPromptSubmit",
            "PreToolUse",
            "PreToolUse",
            "PostToolUse",
            "PostToolUseFailure",
            "PermissionRequest",
            "Stop",
        ],
        "{shown}"
    );
    for event in lines(&place, &["events", "--json"])? {
        assert_eq!(event["meta"]["client"], "gemini");
        assert_eq!(event["meta"]["workspace_id"], "proj");
    }

    let flock = place.cli(["flock", "--once", "--json"]).output()?;
    let flock = String::from_utf8(flock.stdout)?;
    assert!(flock.contains(SESSION), "{flock}");
    let told = lines(&place, &["announce", "--json"])?;
    let handlers: Vec<&str> = told
        .iter()
        .filter_map(|one| one["handler"].as_str())
        .collect();
    assert_eq!(
        handlers,
        ["post_tool_use_failure", "permission_request", "stop"],
        "{told:?}"
    );

    let stopped = std::fs::read_to_string(place.home().security_log())?;
    assert!(stopped.contains("BLOCKED validate-bash"), "{stopped}");
    Ok(())
}
