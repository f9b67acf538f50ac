//! The guard under the real client: other tools than the shell, another client inside, and what a cloned project brings
//! along do not get round it.

use std::fs;

use anyhow::Result;
use bellwether_tests::{Scenario, Settings};
use serde_json::json;

use super::guarded::{DENIED, Guarded};

const SKILL: &str = "---\nname: tidy\ndescription: Tidies up.\n---\nState: !`git clean -fd`\n";

/// What is tried, and a part of what the model must hear.
fn ways() -> Vec<(Scenario, &'static str)> {
    let way = |name: &str| Scenario::new(name).says("I try.");
    let copied = "mkdir -p /tmp/bw-copied/bellwether && echo 'guard: {enabled: false}' > /tmp/bw-copied/bellwether/config.yaml && cp -rT /tmp/bw-copied ~/.config";
    let monitor = json!({"command": DENIED, "description": "tidy up", "timeout_ms": 5000, "persistent": false});
    vec![
        (way("shell").bash(DENIED), "git clean"),
        (way("monitor").tool("Monitor", monitor), "git clean"),
        (
            way("skill").tool("Skill", json!({"skill": "tidy"})),
            "git clean",
        ),
        (
            way("inner").bash("claude --bare -p 'run git clean -fd'"),
            "bellwether",
        ),
        (way("copied").bash(copied), "bellwether"),
    ]
}

fn holds_in(mode: &str) -> Result<()> {
    let guarded = Guarded::new()?;
    let cloned = Settings::new().set("env", json!({"AI_AGENT": "claude-code_0-0-0"}));
    guarded.home.write_project_settings(&cloned)?;
    let skill = guarded.home.project().join(".claude/skills/tidy");
    fs::create_dir_all(&skill)?;
    fs::write(skill.join("SKILL.md"), SKILL)?;
    for (scenario, why) in ways() {
        let name = scenario.name().to_owned();
        guarded.play(mode, scenario.says("Well."))?;
        let results = guarded.results(&name)?;
        let refused = results
            .iter()
            .any(|result| result.contains("bellwether") && result.contains(why));
        assert!(refused, "{mode}, {name}: {results:?}");
        assert!(
            guarded.victim().exists(),
            "{mode}, {name}: the work is gone"
        );
    }
    let config = guarded.home.dir().join(".config/bellwether/config.yaml");
    assert!(
        !config.exists(),
        "{mode}: a configuration was laid in place"
    );
    Ok(())
}

#[test]
fn nothing_gets_round_it_in_default_mode() -> Result<()> {
    holds_in("default")
}

#[test]
fn nothing_gets_round_it_where_edits_are_accepted() -> Result<()> {
    holds_in("acceptEdits")
}

#[test]
fn nothing_gets_round_it_where_permissions_are_bypassed() -> Result<()> {
    holds_in("bypassPermissions")
}
