//! Older versions of the real client, and the newest. `cargo soak --only versions` takes more of them.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use bellwether_tests::dialect::Dialect;
use bellwether_tests::generations;
use bellwether_tests::{DIALOG, Home, Interactive, Programs, User, client, scenarios};

use serde_json::Value;

use crate::RIG;

const PATIENCE: Duration = Duration::from_secs(30);

fn holds(version: &str) -> Result<()> {
    for way in generations::ways(version)? {
        let held = generations::holds(Path::new(RIG), &Programs::built()?, version, way);
        held.with_context(|| format!("{version}, by {}", way.scope()))?;
    }
    Ok(())
}

#[test]
fn the_oldest_client_that_we_promise_is_heard_and_guarded() -> Result<()> {
    holds(client::OLDER[0])
}

#[test]
fn a_client_that_drops_a_file_for_one_unknown_event_is_heard_and_guarded() -> Result<()> {
    holds(client::OLDER[1])
}

#[test]
fn the_newest_client_is_heard_and_guarded() -> Result<()> {
    holds(client::CLIENT_VERSION)
}

/// Before there was an event for it, a question to the person was told by a notification of no type.
#[test]
fn an_old_client_that_waits_for_leave_in_its_terminal_is_heard() -> Result<()> {
    let version = client::OLDER[0];
    let home = Home::fresh(RIG)?;
    let user = User::with_client(&home, &Programs::built()?, version)?;
    home.write_settings(&home.recording_for(Dialect::of(version)?))?;
    user.installed()?;
    let terminal = Interactive::new(&home)
        .version(version)
        .args(["--permission-mode", "default"])
        .start()?;
    terminal.play(&scenarios::permission())?;
    let asked = home.wait_for_record(|record| record.event() == "Notification", PATIENCE)?;
    assert_eq!(asked.payload.get("notification_type"), None);
    terminal.answer(DIALOG, "Enter")?;
    home.wait_for_record(|record| record.event() == "PostToolUse", PATIENCE)?;
    terminal.stop();
    let heard = user.stored()?;
    let heard: Vec<&Value> = heard.iter().map(|event| &event["payload"]).collect();
    assert!(
        heard.contains(&&asked.payload),
        "the notification was not stored"
    );
    let stands_in = heard
        .iter()
        .find(|payload| payload["hook_event_name"] == "PermissionRequest");
    let stands_in = stands_in.context("nothing stands in for the request")?;
    assert_eq!(stands_in["tool_name"], "Bash");
    assert!(
        stands_in["tool_input"]["command"].is_string(),
        "{stands_in}"
    );
    Ok(())
}
