//! Hooks that are given events, good ones and bad ones.

use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::Result;
use bellwether_tests::{Installation, fixture};
use serde_json::{Value, json};

/// Ten times what the slowest of these may take.
pub(super) const GUARD: Duration = Duration::from_secs(30);

/// Gives a hook its input and waits for it to end. The stream stays open unless it is to be closed.
pub(super) fn give(mut hook: Command, input: &[u8], close: bool) -> Result<(Output, Duration)> {
    let (mut ours, theirs) = UnixStream::pair()?;
    ours.set_write_timeout(Some(GUARD))?;
    hook.stdin(Stdio::from(OwnedFd::from(theirs)));
    let begun = Instant::now();
    let child = hook.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    drop(hook);
    // A hook that has heard enough goes before all is written.
    let _ = ours.write_all(input);
    let open = (!close).then_some(ours);
    let output = child.wait_with_output()?;
    drop(open);
    Ok((output, begun.elapsed()))
}

pub(super) fn quiet(output: &Output) {
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

pub(super) fn start_of(session: &str) -> Vec<u8> {
    json!({"session_id": session, "hook_event_name": "SessionStart", "source": "startup", "cwd": "/"}).to_string().into()
}

pub(super) fn prompt_of(session: &str) -> Vec<u8> {
    json!({"session_id": session, "hook_event_name": "UserPromptSubmit", "prompt": "hello"})
        .to_string()
        .into()
}

/// What the person is told by a reply, if anything.
pub(super) fn told(output: &Output) -> Option<String> {
    assert_eq!(output.status.code(), Some(0));
    let reply: Value = serde_json::from_slice(&output.stdout).ok()?;
    Some(reply["systemMessage"].as_str()?.to_owned())
}

/// An event that is found again by its marker.
pub(super) fn feed(place: &Installation, marker: &str) -> Result<()> {
    assert!(place.visit(&fixture::tool_call(marker, 200))?.success());
    Ok(())
}

pub(super) fn status(place: &Installation) -> Result<Value> {
    Ok(serde_json::from_slice(
        &place.cli(["status", "--json"]).output()?.stdout,
    )?)
}
