//! Installing for the real client: it then runs our hook, and it reads what we are ready to install into.

use std::fs;

use anyhow::{Result, ensure};
use bellwether_hook::handlers::registrations;
use bellwether_tests::{Headless, Home, User, client, scenarios};
use serde_json::Value;

use crate::RIG;

#[test]
fn a_session_of_the_real_client_is_heard_until_it_is_uninstalled() -> Result<()> {
    let home = Home::fresh(RIG)?;
    let user = User::of(&home)?;
    let before = fs::read(user.settings())?;
    user.installed()?;
    play(&home)?;
    let heard = user.stored()?;
    let wanted: Vec<&str> = registrations()
        .iter()
        .map(|wanted| wanted.kind.as_str())
        .collect();
    let recorded = home.recorded()?;
    let recorded = recorded
        .iter()
        .filter(|record| wanted.contains(&record.event()));
    assert_eq!(
        heard.len(),
        recorded.count(),
        "what a recorder saw beside us"
    );
    let meta = &heard[0]["meta"];
    assert_eq!(
        (&meta["from"], &meta["client_version"]),
        (&"user".into(), &client::CLIENT_VERSION.into())
    );

    assert!(
        user.at_terminal(&["uninstall", "--state"])?
            .starts_with("exit 0\n")
    );
    assert_eq!(fs::read(user.settings())?, before);
    assert!(!user.home.join(".local/state/bellwether").exists());
    play(&home)?;
    assert_eq!(user.stored()?.len(), 0);
    Ok(())
}

fn play(home: &Home) -> Result<()> {
    let outcome = Headless::new(home)
        .scenario(scenarios::one_bash())
        .args(["--allowedTools", "Bash"])
        .run()?;
    ensure!(outcome.status.success(), "{}", outcome.stderr);
    Ok(())
}

/// What we refuse to install into is what the client does not read, and nothing else.
#[test]
fn a_refused_file_is_one_that_the_client_drops() -> Result<()> {
    // A byte order mark is not among these: the client reads past it, and we leave such a file alone.
    for (content, verdict) in [
        (r#"{"hooks": {"SessionStart": RECORDER}}"#, Verdict::Taken),
        (
            r#"{"hooks": {"SessionStart": RECORDER, "PreToolUse": [{"hooks": [LATE]}]}}"#,
            Verdict::Refused,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER, "Setup": [{"hooks": [LATE]}]}}"#,
            Verdict::Taken,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER, "PreToolUse": 5}}"#,
            Verdict::Refused,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER, "FileChanged": 5}}"#,
            Verdict::Taken,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER, "Halt": {"PreToolUse": []}}}"#,
            Verdict::Taken,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER, "Halt": [{"PreToolUse": RECORDER}]}}"#,
            Verdict::Refused,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER}, "$schema": 5}"#,
            Verdict::Refused,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER}, "$schema": "x"}"#,
            Verdict::Taken,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER}, }"#,
            Verdict::Refused,
        ),
        (
            "{\"hooks\": {\"SessionStart\": RECORDER} // why\n}",
            Verdict::Refused,
        ),
    ] {
        compare_with_the_client(content, verdict)?;
    }
    Ok(())
}

/// The same for single fields, under an event whose mistakes cost the whole file.
#[test]
fn a_refused_field_is_one_that_the_client_rejects() -> Result<()> {
    for (fields, verdict) in [
        (r#""timeout": 0"#, Verdict::Refused),
        (r#""timeout": 0.5"#, Verdict::Taken),
        (r#""args": "a""#, Verdict::Refused),
        (r#""async": "yes""#, Verdict::Refused),
        (r#""once": "yes""#, Verdict::Refused),
        (r#""if": 5"#, Verdict::Refused),
        (r#""statusMessage": 5"#, Verdict::Refused),
        (r#""onFailure": 5"#, Verdict::Refused),
        (r#""unknown": 5"#, Verdict::Taken),
    ] {
        let handler = format!(r#"{{"type": "command", "command": "true", {fields}}}"#);
        let content = format!(
            r#"{{"hooks": {{"SessionStart": RECORDER, "PreToolUse": [{{"hooks": [{handler}]}}]}}}}"#
        );
        compare_with_the_client(&content, verdict)?;
    }
    Ok(())
}

/// What becomes of a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Taken,
    Refused,
}

/// Lets the client read a file with a recorder in it, and us install into it.
fn compare_with_the_client(content: &str, expected: Verdict) -> Result<()> {
    let verdict = |taken| {
        if taken {
            Verdict::Taken
        } else {
            Verdict::Refused
        }
    };
    let home = Home::fresh(RIG)?;
    let user = User::of(&home)?;
    let settings: Value = serde_json::from_slice(&fs::read(user.settings())?)?;
    let recorder = settings["hooks"]["SessionStart"].to_string();
    let late = r#"{"type": "command", "command": "true", "timeout": "5"}"#;
    user.write(content.replace("RECORDER", &recorder).replace("LATE", late))?;
    play(&home)?;
    let clients = verdict(!home.recorded()?.is_empty());
    assert_eq!(clients, expected, "the client: {content}");
    let ours = verdict(user.command(&["install"]).output()?.status.success());
    assert_eq!(ours, expected, "we: {content}");
    Ok(())
}
