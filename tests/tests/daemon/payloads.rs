//! Bad input: the hook exits 0, says nothing that the client could misread, and tells the person once.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use bellwether_spine::trouble::Troubles;
use bellwether_tests::Installation;
use serde_json::json;

use super::fed::{GUARD, give, prompt_of, quiet, start_of, told};

#[test]
fn nothing_on_stdin_is_no_event() -> Result<()> {
    let place = Installation::fresh()?;
    for input in ["", "\n \n"] {
        quiet(&give(place.hook(), input.as_bytes(), true)?.0);
    }
    let (output, took) = give(place.hook(), b"", false)?;
    quiet(&output);
    assert!(
        took >= Duration::from_secs(2),
        "silence is awaited for two seconds"
    );
    assert!(Troubles(place.home()).recent().is_empty());
    assert!(place.events()?.is_empty());
    Ok(())
}

#[test]
fn what_is_no_event_is_kept_and_told_once() -> Result<()> {
    let place = Installation::fresh()?;
    let half = br#"{"hook_event_name":"PreToolUse","tool_input":{"command":"ec"#;
    quiet(&give(place.hook(), half, true)?.0);
    quiet(&give(place.hook(), b"{'single': 1}", false)?.0);
    quiet(&give(place.hook(), b"[1, 2]", false)?.0);
    let stored = place.events()?;
    let kept: Vec<&str> = stored
        .iter()
        .map(|event| event["payload"].as_str().unwrap())
        .collect();
    assert_eq!(kept, [str::from_utf8(half)?, "{'single': 1}", "[1, 2]"]);
    assert!(
        stored[0]["meta"]["unreadable"]
            .as_str()
            .unwrap()
            .contains("ended after 59 bytes"),
        "{}",
        stored[0]
    );

    let message =
        told(&give(place.hook(), &start_of("a"), false)?.0).context("nothing was told")?;
    assert!(message.starts_with("bellwether: the event"), "{message}");
    quiet(&give(place.hook(), &prompt_of("a"), false)?.0);
    assert!(told(&give(place.hook(), &prompt_of("b"), false)?.0).is_some());
    let status = place.cli(["status"]).output()?;
    assert!(String::from_utf8(status.stdout)?.contains("trouble  "));
    Ok(())
}

#[test]
fn half_an_event_and_then_silence_is_kept() -> Result<()> {
    let place = Installation::fresh()?;
    let (output, took) = give(place.hook(), br#"{"hook_event_name":"#, false)?;
    quiet(&output);
    assert!(took < GUARD);
    assert_eq!(place.events()?.len(), 1);
    Ok(())
}

#[test]
fn bytes_that_are_no_text_are_replaced() -> Result<()> {
    let place = Installation::fresh()?;
    let input =
        b"{\"hook_event_name\":\"Notification\",\"session_id\":\"s\",\"message\":\"a\xff\xfeb\"}";
    quiet(&give(place.hook(), input, false)?.0);
    let stored = place.events()?;
    assert_eq!(stored[0]["payload"]["message"], "a\u{fffd}\u{fffd}b");
    Ok(())
}

#[test]
fn a_huge_event_is_kept_without_its_huge_string() -> Result<()> {
    let place = Installation::fresh()?;
    let content = "x".repeat(64 * 1024 * 1024 - 4096);
    let event = json!({"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Write",
        "tool_input": {"file_path": "/f", "content": content}, "tool_use_id": "t"});
    let (output, took) = give(place.hook(), event.to_string().as_bytes(), false)?;
    quiet(&output);
    assert!(took < GUARD, "{took:?}");
    let stored = place.events()?;
    let kept = stored[0]["payload"]["tool_input"]["content"]
        .as_str()
        .unwrap();
    assert!(
        kept.starts_with(&format!("[bellwether: {} bytes, sha256 ", content.len())),
        "{kept}"
    );
    assert_eq!(stored[0]["payload"]["tool_use_id"], "t");
    Ok(())
}

#[test]
fn more_than_the_most_is_cut_and_told() -> Result<()> {
    let place = Installation::fresh()?;
    let mut event = br#"{"hook_event_name":"PreToolUse","x":""#.to_vec();
    event.resize(65 * 1024 * 1024, b'x');
    quiet(&give(place.hook(), &event, false)?.0);
    let stored = place.events()?;
    assert_eq!(
        stored[0]["meta"]["unreadable"],
        "the event is longer than 64 MiB"
    );
    assert!(Troubles(place.home()).recent()[0].text.contains("64 MiB"));
    Ok(())
}

#[test]
fn deep_nesting_harms_nobody() -> Result<()> {
    let place = Installation::fresh()?;
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let event =
        format!(r#"{{"hook_event_name":"PreToolUse","session_id":"s","tool_input":{deep}}}"#);
    quiet(&give(place.hook(), event.as_bytes(), false)?.0);
    let shown = place.cli(["events", "--json"]).output()?;
    assert!(String::from_utf8(shown.stdout)?.contains(&event));
    let shown = place.cli(["events"]).output()?;
    assert!(String::from_utf8(shown.stdout)?.contains("PreToolUse"));
    Ok(())
}

#[test]
fn a_pipe_as_transcript_is_not_waited_for() -> Result<()> {
    let place = Installation::fresh()?;
    let pipe = place.root().join("transcript.jsonl");
    ensure!(
        Command::new("mkfifo").arg(&pipe).status()?.success(),
        "mkfifo failed"
    );
    let event = json!({"hook_event_name": "Stop", "session_id": "s", "transcript_path": pipe});
    let (output, took) = give(place.hook(), event.to_string().as_bytes(), false)?;
    quiet(&output);
    assert!(took < GUARD);
    assert_eq!(place.events()?.len(), 1);
    Ok(())
}

#[test]
fn an_unknown_argument_and_an_unknown_event_do_no_harm() -> Result<()> {
    let place = Installation::fresh()?;
    let mut hook = place.hook();
    hook.arg("--colour");
    quiet(
        &give(
            hook,
            br#"{"hook_event_name":"Tomorrow","session_id":"s","new":{"a":[1]}}"#,
            false,
        )?
        .0,
    );
    let stored = place.events()?;
    assert_eq!(
        stored[0]["payload"],
        json!({"hook_event_name": "Tomorrow", "session_id": "s", "new": {"a": [1]}})
    );
    assert!(Troubles(place.home()).recent()[0].text.contains("--colour"));
    Ok(())
}
