//! Variables reach the hook from a cloned project's settings. None of them makes a reply weaker, or takes it away.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt as _;

use anyhow::{Result, ensure};
use bellwether_tests::Installation;
use bellwether_tests::run::fed;
use serde_json::{Value, json};

/// Every variable that the hook reads, and some that others would.
const NAMES: &[&str] = &[
    "AI_AGENT",
    "CLAUDECODE",
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_PID",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SESSION_ATTENDED",
    "CLAUDE_CONFIG_DIR",
    "GEMINI_PROJECT_DIR",
    "HOME",
    "USER",
    "PATH",
    "PWD",
    "SHELL",
    "TMPDIR",
    "LANG",
    "TZ",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "PULSE_SERVER",
    "SSH_CONNECTION",
    "TMUX",
    "TERM_SESSION_ID",
    "WT_SESSION",
    "BELLWETHER_HOME",
    "BELLWETHER_GUARD",
    "HOOK_DEBUG",
    "HOOK_PROJECT_DIR",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_CONFIG_GLOBAL",
    "BASH_ENV",
    "RUST_BACKTRACE",
];

fn values() -> Vec<OsString> {
    let long = "x".repeat(100_000);
    let texts = [
        "",
        "0",
        "1",
        "off",
        "claude-code_0-0-0",
        "claude-code_1-0-23_harness",
        "claude-code_4294967295-4294967295-4294967295",
        "codex_1-2-3",
        "gemini",
        // Whoever is root could make a home anywhere else.
        "/proc",
        "/sys",
        "/etc/passwd",
        "/dev/null/x",
        "/proc/nowhere/folder",
        "relative",
        "../..",
        "-1",
        &long,
    ];
    let long_path = format!("/{long}");
    let texts = texts.into_iter().chain([long_path.as_str()]);
    let texts = texts.map(OsString::from);
    texts
        .chain([OsString::from_vec(vec![0xff, 0xfe, b'/'])])
        .collect()
}

/// What must be refused, whatever stands in the environment.
fn refused() -> Vec<(&'static str, Value)> {
    vec![
        ("Bash", json!({"command": "git push --force origin main"})),
        ("Bash", json!({"command": "sudo rm -rf /usr"})),
        ("Write", json!({"file_path": ".env", "content": "A=1"})),
    ]
}

fn decision(
    place: &Installation,
    words: &[&str],
    variable: Option<(&str, &OsStr)>,
    (tool, input): &(&str, Value),
) -> Result<Option<Value>> {
    let event = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/home/dev/proj", "permission_mode": "default",
        "tool_name": tool, "tool_input": input, "tool_use_id": "t",
    });
    let mut hook = place.hook();
    hook.args(words)
        .arg("--no-daemon")
        .env("CLAUDE_PROJECT_DIR", "/home/dev/proj");
    if let Some((name, value)) = variable {
        hook.env(name, value);
    }
    let output = fed(hook, event.to_string())?;
    ensure!(output.status.success(), "{:?}", output.status);
    if output.stdout.is_empty() {
        return Ok(None);
    }
    let reply: Value = serde_json::from_slice(&output.stdout)?;
    Ok(Some(
        reply["hookSpecificOutput"]["permissionDecision"].clone(),
    ))
}

#[test]
fn no_variable_weakens_a_refusal() -> Result<()> {
    let place = Installation::fresh()?;
    let registrations: [&[&str]; 3] = [&[], &["--client", "2.1.325"], &["--client", "2.0.30"]];
    let mut wrong = Vec::new();
    for words in registrations {
        for call in refused() {
            let undisturbed = decision(&place, words, None, &call)?;
            assert_eq!(undisturbed, Some(json!("deny")), "{call:?}");
        }
        for name in NAMES {
            for (value, call) in values().iter().zip(refused().iter().cycle()) {
                let said = decision(&place, words, Some((name, value)), call)?;
                if said != Some(json!("deny")) {
                    let value: String = value.to_string_lossy().chars().take(40).collect();
                    wrong.push(format!("{words:?} {name}={value} {call:?}: {said:?}"));
                }
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
    Ok(())
}

/// Without a home nothing can be kept, and what is dangerous is refused all the same.
#[test]
fn without_a_home_it_is_judged_all_the_same() -> Result<()> {
    let place = Installation::fresh()?;
    for root in ["relative/home", "/dev/null/home"] {
        for call in refused() {
            let said = decision(&place, &["--home", root], None, &call)?;
            assert_eq!(said, Some(json!("deny")), "{root} {call:?}");
        }
    }
    Ok(())
}
