//! A client that was updated after its hooks were registered.

use anyhow::{Context as _, Result};
use bellwether_tests::Installation;
use bellwether_tests::installation::{as_client_does, filled_stdin};
use serde_json::{Value, json};

/// What a session that begins is told, by a hook that was registered for a version. The client says by a variable which it is.
fn told(place: &Installation, registered: &str) -> Result<Option<String>> {
    let payload = json!({"hook_event_name": "SessionStart", "session_id": "s", "cwd": "/", "source": "startup"});
    let (_open, stdin) = filled_stdin(payload.to_string().as_bytes())?;
    let output = as_client_does(&place.programs().hook())
        .arg("--home")
        .arg(place.root())
        .args(["--client", registered, "--from", "user"])
        .stdin(stdin)
        .stdout(std::process::Stdio::piped())
        .output()?;
    assert!(output.status.success());
    if output.stdout.is_empty() {
        return Ok(None);
    }
    let said: Value = serde_json::from_slice(&output.stdout)?;
    Ok(said["systemMessage"].as_str().map(str::to_owned))
}

fn noticed(place: &Installation) -> Result<Vec<String>> {
    let said: Value = serde_json::from_str(&place.printed(&["status", "--json"])?)?;
    let notices = said["notices"].as_array().cloned().unwrap_or_default();
    Ok(notices
        .iter()
        .filter_map(|notice| Some(notice.as_str()?.to_owned()))
        .collect())
}

#[test]
fn an_update_is_told_once_over_restarts() -> Result<()> {
    let place = Installation::fresh()?;
    place.printed(&["daemon", "start", "--port", "0"])?;
    assert_eq!(told(&place, "2.1.325")?, None);
    place.settle()?;
    assert_eq!(noticed(&place)?, [""; 0]);

    assert_eq!(told(&place, "2.1.250")?, None);
    place.settle()?;
    let text = "this is Claude Code 2.1.325, and the hooks are registered for 2.1.250; `bellwether upgrade` brings them up to date. Not used yet: PreModelSwitch, PostModelSwitch, blocking a tool call when the guard's hook fails";
    assert_eq!(noticed(&place)?, [text]);
    let said = told(&place, "2.1.250")?.context("nothing was told")?;
    assert_eq!(said, format!("bellwether: {text}"));
    assert_eq!(told(&place, "2.1.250")?, None);
    place.settle()?;
    assert_eq!(
        noticed(&place)?,
        [text],
        "`status` says it until somebody has acted"
    );
    Ok(())
}
