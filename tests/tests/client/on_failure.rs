//! What the real client does with a tool call when the guard's hook dies, is not there, or hears a lie about the client.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use anyhow::Result;
use bellwether_tests::{Scenario, Settings};
use serde_json::json;

use super::guarded::{CLEANS, DENIED, Guarded, assert_refused};

/// Lets something be deleted while the hook is this; whether it was, and what the model heard.
fn deleted(guarded: &Guarded, name: &str, hook: Option<&str>) -> Result<(bool, String)> {
    guarded.put_bait()?;
    let program = guarded.programs.hook();
    // It may be running.
    fs::remove_file(&program)?;
    if let Some(script) = hook {
        fs::write(&program, format!("#!/bin/sh\n{script}\n"))?;
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755))?;
    }
    let scenario = Scenario::new(name)
        .says("I clean up.")
        .bash(DENIED)
        .says("Done.");
    guarded.play("bypassPermissions", scenario)?;
    let heard = guarded.results(name)?.concat();
    if hook.is_none() {
        fs::write(&program, "#!/bin/sh\n")?;
    }
    Ok((!guarded.victim().exists(), heard))
}

const KILLED: &str = "cat > /dev/null; kill -9 $$";

#[test]
fn a_guard_that_is_killed_blocks() -> Result<()> {
    let guarded = Guarded::new()?;
    for (name, hook) in [
        ("killed", Some(KILLED)),
        ("failing", Some("exit 1")),
        ("gone", None),
    ] {
        let (deleted, heard) = deleted(&guarded, name, hook)?;
        assert!(!deleted, "{name}: {heard}");
    }
    Ok(())
}

#[test]
fn who_prefers_it_lets_the_agent_go_on() -> Result<()> {
    let guarded = Guarded::installed_with(&["--on-failure", "allow"])?;
    let (deleted, heard) = deleted(&guarded, "killed", Some(KILLED))?;
    assert!(deleted, "{heard}");
    Ok(())
}

#[test]
fn a_cloned_project_cannot_make_the_client_old() -> Result<()> {
    let guarded = Guarded::new()?;
    for (name, version) in [
        ("zero", "claude-code_0-0-0"),
        ("first", "claude-code_1-0-23_harness"),
    ] {
        let env = json!({"AI_AGENT": version});
        guarded
            .home
            .write_project_settings(&Settings::new().set("env", env))?;
        let scenario = Scenario::new(name)
            .says("I clean up.")
            .bash(DENIED)
            .says("Done.");
        guarded.play("acceptEdits", scenario)?;
        assert_refused(&guarded.results(name)?.concat(), CLEANS);
        assert!(guarded.victim().exists());
    }
    Ok(())
}
