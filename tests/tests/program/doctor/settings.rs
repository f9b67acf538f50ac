//! The client's settings, and what a project does in them.

use anyhow::Result;
use bellwether_tests::Settings;
use serde_json::{Value, json};

use super::machine::{Machine, registered};

#[test]
fn settings_that_the_client_drops_are_named_with_their_place() -> Result<()> {
    let machine = Machine::healthy()?;
    let local = machine.path("project/.claude/settings.local.json");
    let hook = |hook: Value| json!({"hooks": {"PreToolUse": [{"hooks": [hook]}]}}).to_string();
    for (content, level, words) in [
        (
            "{\n \"hooks\": }".to_owned(),
            "problem",
            "settings.local.json, line 2, column 11: ",
        ),
        (
            hook(json!({"type": "command", "command": "true", "timeout": "5"})),
            "problem",
            "settings.local.json, line 1, column 63: `timeout` is \"5\"",
        ),
        (
            json!({"hooks": {"Nonsense": []}}).to_string(),
            "warning",
            "does not know the event `Nonsense`",
        ),
        (
            hook(json!({"type": "command", "command": "/no/such/program \u{1b}[31m"})),
            "warning",
            ": /no/such/program does not exist",
        ),
        (
            hook(json!({"type": "command", "command": "python3 \"$CLAUDE_PROJECT_DIR/gone.py\""})),
            "problem",
            "project/gone.py does not exist; this may block the agent",
        ),
        (
            hook(json!({"type": "command", "command": "node C:\\hooks\\a.js"})),
            "warning",
            r": C:\hooks\a.js is a path of Windows, which nothing here can open",
        ),
    ] {
        std::fs::write(&local, content)?;
        machine.doctor()?.finds("settings", level, words)?;
    }
    std::fs::remove_file(&local)?;
    std::fs::create_dir(&local)?;
    machine
        .doctor()?
        .finds("settings", "problem", "is not a regular file; Claude Code")?;
    std::fs::remove_dir(&local)?;
    std::fs::write(
        &local,
        hook(json!({"type": "command", "command": "/bin/true"})),
    )?;
    machine.doctor()?.assert_good("settings");
    Ok(())
}

#[test]
fn what_an_old_client_drops_is_a_problem_there() -> Result<()> {
    let machine = Machine::healthy()?;
    machine.client("echo 2.1.100")?;
    machine.doctor()?.finds(
        "settings",
        "problem",
        "Claude Code 2.1.100 does not know the event `PostToolBatch`",
    )?;
    Ok(())
}

#[test]
fn what_a_project_does_to_hooks_is_told() -> Result<()> {
    let machine = Machine::healthy()?;
    let variables = |value: Value| Settings::new().set("env", value);
    machine.project_settings(&variables(json!({"EDITOR": "vi"})))?;
    machine
        .doctor()?
        .finds("project", "note", "gives every hook variables: EDITOR")?;
    machine.project_settings(&variables(
        json!({"BELLWETHER_HOME": "/tmp/x", "TOKEN": "s3cr3t"}),
    ))?;
    let said = machine.doctor()?;
    let finding = said.finds(
        "project",
        "warning",
        "BELLWETHER_HOME, TOKEN; BELLWETHER_HOME can change",
    )?;
    assert!(!finding.to_string().contains("s3cr3t"));
    machine.project_settings(&Settings::new().set("disableAllHooks", json!(true)))?;
    machine
        .doctor()?
        .finds("project", "problem", "runs no hooks")?;
    machine.project_settings(&Settings::new())?;
    machine.settings(
        ".claude/settings.json",
        &registered(&machine.hook()).set("disableAllHooks", json!(true)),
    )?;
    machine
        .doctor()?
        .finds("project", "problem", ".claude/settings.json")?;
    Ok(())
}

#[test]
fn the_hooks_of_plugins_are_read() -> Result<()> {
    let machine = Machine::healthy()?;
    machine.doctor()?.assert_good("plugins");
    let root = machine.path(".claude/plugins/cache/shop/lint/1.0.0");
    std::fs::create_dir_all(root.join("hooks"))?;
    let entry = |command: &str| json!([{"hooks": [{"type": "command", "command": command}]}]);
    let hooks = json!({"hooks": {
        "PreToolUse": entry("${CLAUDE_PLUGIN_ROOT}/gone.sh"),
        "Stop": entry("/bin/true"),
    }});
    std::fs::write(root.join("hooks/hooks.json"), hooks.to_string())?;
    // One that is only in the cache is not installed.
    machine.doctor()?.assert_good("plugins");
    let list =
        json!({"version": 2, "plugins": {"lint@shop": [{"scope": "user", "installPath": root}]}});
    let listed = machine.path(".claude/plugins/installed_plugins.json");
    std::fs::write(&listed, list.to_string())?;
    // Nor is one that no settings switch on.
    machine.doctor()?.assert_good("plugins");
    let switched = |on: bool| json!({"enabledPlugins": {"lint@shop": on}}).to_string();
    let settings = machine.path("project/.claude/settings.json");
    std::fs::write(&settings, switched(true))?;
    let said = machine.doctor()?;
    said.finds(
        "plugins",
        "note",
        "plugin lint@shop has hooks for PreToolUse, Stop",
    )?;
    said.finds("plugins", "warning", "lint/1.0.0/gone.sh does not exist")?;
    std::fs::write(&settings, switched(false))?;
    machine.doctor()?.assert_good("plugins");
    std::fs::write(&settings, switched(true))?;
    std::fs::write(root.join("hooks/hooks.json"), "{}")?;
    machine.doctor()?.finds(
        "plugins",
        "warning",
        "it has no `hooks`, in which the events must stand; Claude Code drops all hooks of this plugin",
    )?;
    Ok(())
}
