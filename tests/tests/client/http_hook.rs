//! The real client with HTTP hooks: it asks the daemon itself, obeys its answers, and what it sends takes
//! the same way as what the program gets.

use anyhow::{Context as _, Result};
use bellwether_hook::handlers::registrations;
use bellwether_tests::{Home, Hook, Programs, Scenario, Watched, client};
use serde_json::Value;

use crate::RIG;

/// The usual port: the client's network is its own.
const ADDRESS: &str = "http://127.0.0.1:4820/hook";

#[test]
fn the_client_asks_the_daemon_and_obeys() -> Result<()> {
    let (home, programs) = (Home::fresh(RIG)?, Programs::built()?);
    let program =
        Hook::exec(programs.hook()).args(["--client", client::CLIENT_VERSION, "--from", "user"]);
    let others: Vec<&str> = registrations()
        .iter()
        .map(|registration| registration.kind.as_str())
        .filter(|name| *name != "SessionStart")
        .collect();
    // The client never sends SessionStart over HTTP; the program also starts the daemon there.
    let settings = home
        .recording()
        .on(["SessionStart"], &program)
        .on_http(&others, ADDRESS);
    home.write_settings(&settings)?;
    let scenario = Scenario::new("http")
        .bash("sleep 1; cat notes.txt")
        .bash("rm -rf ~")
        .says("Done.");
    let watched = Watched { home, programs };
    watched.play(scenario)?;
    assert!(
        watched.home.project().exists(),
        "what was refused was not done"
    );
    let stored = watched.stored()?;
    let by_http: Vec<&Value> = stored
        .iter()
        .filter(|event| event["meta"]["from"] == "http")
        .collect();
    let named = |name: &str| {
        by_http
            .iter()
            .filter(|event| event["payload"]["hook_event_name"] == name)
            .count()
    };
    assert_eq!(
        (named("PreToolUse"), named("PostToolUse"), named("Stop")),
        (2, 1, 1),
        "{stored:#?}"
    );
    let refused = by_http
        .iter()
        .find(|event| event["payload"]["tool_input"]["command"] == "rm -rf ~");
    let reply = &refused.context("not stored")?["meta"]["reply"];
    assert_eq!(
        reply["hookSpecificOutput"]["permissionDecision"], "deny",
        "{reply}"
    );
    // The sender's own folder and process stand in for what the client tells a program.
    let by_program = stored
        .iter()
        .find(|event| event["meta"]["from"] == "user")
        .context("no start")?;
    for name in ["project_dir", "workspace_id", "client_pid"] {
        assert_eq!(by_http[0]["meta"][name], by_program["meta"][name], "{name}");
    }
    Ok(())
}
