//! Settings that somebody else changes: the person is told at once, and what was confirmed stays in effect.

use anyhow::Result;
use bellwether_spine::trouble::Troubles;
use bellwether_tests::Installation;
use bellwether_tests::installation::PROJECT;
use bellwether_tests::run::{fed, said};
use serde_json::{Value, json};

/// What the guard says about a write of secrets.
fn verdict(place: &Installation) -> Result<String> {
    let event = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": PROJECT, "permission_mode": "default",
        "tool_name": "Write", "tool_input": {"file_path": ".env", "content": "x"}, "tool_use_id": "t",
    });
    let output = fed(place.hook(), event.to_string())?;
    let reply: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let decision = &reply["hookSpecificOutput"]["permissionDecision"];
    Ok(decision.as_str().unwrap_or_default().to_owned())
}

/// Waits until the person was told this, by every way.
fn told(place: &Installation, what: &str) -> Result<()> {
    place.wait_for("the announcement", || {
        Ok(place
            .printed(&["announce", "--all", "--json"])?
            .contains(what))
    })?;
    let troubles = Troubles(place.home()).recent();
    assert!(
        troubles.iter().any(|trouble| trouble.text.contains(what)),
        "{troubles:?}"
    );
    place.wait_for("the event", || {
        let events = place.events()?;
        Ok(events.iter().any(|event| event.to_string().contains(what)))
    })
}

#[test]
fn what_loosens_the_guard_waits_for_the_person() -> Result<()> {
    let place = Installation::fresh_with("preset: full\n")?;
    let _daemon = place.start_daemon(&[])?;
    assert_eq!(verdict(&place)?, "deny");
    place.configure("preset: full\nguard: {enabled: false}\n")?;
    told(&place, "guard.enabled is now false")?;
    assert_eq!(verdict(&place)?, "deny");
    let doctor = said(&place.cli(["doctor", "--json"]).output()?);
    let waits = "not confirmed by you and so not in effect: guard.enabled";
    assert!(doctor.contains(waits), "{doctor}");
    let by_agent = place
        .at_terminal(["config", "confirm"])
        .env("CLAUDECODE", "1")
        .output()?;
    assert!(
        said(&by_agent).contains("not for an agent"),
        "{}",
        said(&by_agent)
    );
    assert_eq!(verdict(&place)?, "deny");
    let by_person = place.at_terminal(["config", "confirm"]).output()?;
    assert!(by_person.status.success(), "{}", said(&by_person));
    place.wait_for("the guard to be off", || Ok(verdict(&place)?.is_empty()))?;
    // What tightens needs nobody.
    place.configure("preset: full\n")?;
    place.wait_for("the guard to be on", || Ok(verdict(&place)? == "deny"))
}

#[test]
fn a_planted_permission_allows_nothing() -> Result<()> {
    let place = Installation::fresh()?;
    let _daemon = place.start_daemon(&[])?;
    let words = [
        "guard",
        "allow",
        "--path",
        "/home/dev/proj/.env",
        "--for",
        "10m",
    ];
    let by_person = place.at_terminal(words).output()?;
    assert!(by_person.status.success(), "{}", said(&by_person));
    assert_eq!(verdict(&place)?, "");
    let allowed = std::fs::read_to_string(place.home().allowed())?;
    assert!(
        place
            .cli(["guard", "allow", "--revoke-all"])
            .status()?
            .success()
    );
    assert_eq!(verdict(&place)?, "deny");
    std::fs::write(place.home().allowed(), allowed)?;
    told(&place, "is not in effect")?;
    assert_eq!(verdict(&place)?, "deny");
    Ok(())
}
