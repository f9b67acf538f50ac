//! What doctor says that the client drops of a plugin is what the real client drops.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use bellwether_tests::doctor::Said;
use bellwether_tests::{Headless, Home, User, scenarios};
use serde_json::{Value, json};

use crate::RIG;

/// What becomes of the good hook that stands beside something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// It runs, and nothing is said.
    Taken,
    /// It runs, and something beside it is dropped.
    Alone,
    /// It does not run.
    Lost,
}

#[test]
fn a_plugin_whose_hooks_are_lost_is_one_whose_hooks_the_client_drops() -> Result<()> {
    for (content, verdict) in [
        (r#"{"hooks": {"SessionStart": RECORDER}}"#, Verdict::Taken),
        (
            r#"{"description": "d", "$schema": 5, "x": 1, "hooks": {"SessionStart": RECORDER}}"#,
            Verdict::Taken,
        ),
        (r#"{"SessionStart": RECORDER}"#, Verdict::Lost),
        (r#"{"hooks": {"SessionStart": RECORDER}, }"#, Verdict::Lost),
        (
            "{\"hooks\": {\"SessionStart\": RECORDER} // why\n}",
            Verdict::Lost,
        ),
        (
            "\u{feff}{\"hooks\": {\"SessionStart\": RECORDER}}",
            Verdict::Lost,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER, "Halt": []}}"#,
            Verdict::Alone,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER, "Halt": [{"PreToolUse": RECORDER}]}}"#,
            Verdict::Lost,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER, "Stop": 5}}"#,
            Verdict::Alone,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER, "Stop": [{"hooks": [LATE]}]}}"#,
            Verdict::Alone,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER, "PreToolUse": [{"hooks": [LATE]}]}}"#,
            Verdict::Lost,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER, "PermissionRequest": [{"hooks": [{"type": "telepathy"}]}]}}"#,
            Verdict::Lost,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER}, "PreToolUse": RECORDER}"#,
            Verdict::Lost,
        ),
    ] {
        compare_with_the_client(content, r#"{"name": "probe"}"#, verdict)?;
    }
    Ok(())
}

/// The same for the plugin's description of itself, beside a good `hooks.json`.
#[test]
fn a_manifest_that_loses_the_plugin_is_one_that_the_client_refuses() -> Result<()> {
    let good = r#"{"hooks": {"SessionStart": RECORDER}}"#;
    for (manifest, verdict) in [
        (
            r#"{"name": "probe", "hooks": {"Halt": []}}"#,
            Verdict::Alone,
        ),
        (
            r#"{"name": "probe", "hooks": {"PreToolUse": 5}}"#,
            Verdict::Lost,
        ),
        (
            r#"{"name": "probe", "hooks": "./none.json"}"#,
            Verdict::Alone,
        ),
        (r#"{"name": "probe", "hooks": "none.json"}"#, Verdict::Lost),
        (r#"{"version": "1.0.0"}"#, Verdict::Lost),
        ("{", Verdict::Lost),
    ] {
        compare_with_the_client(good, manifest, verdict)?;
    }
    Ok(())
}

/// Lets the client read a plugin with a recorder in it, and the doctor as well.
fn compare_with_the_client(content: &str, manifest: &str, expected: Verdict) -> Result<()> {
    let home = Home::fresh(RIG)?;
    let user = User::of(&home)?;
    let settings: Value = serde_json::from_slice(&fs::read(user.settings())?)?;
    let recorder = settings["hooks"]["SessionStart"].to_string();
    let late = r#"{"type": "command", "command": "true", "timeout": "5"}"#;
    let root = home.dir().join(".claude/plugins/cache/shop/probe/1.0.0");
    let content = content.replace("RECORDER", &recorder).replace("LATE", late);
    write(&root.join("hooks/hooks.json"), &content)?;
    write(&root.join(".claude-plugin/plugin.json"), manifest)?;
    user.write("{}")?;
    let folder = root.display().to_string();
    Headless::new(&home).args(["--plugin-dir", &folder]).run()?;
    let ran = !home.recorded()?.is_empty();
    assert_eq!(
        ran,
        expected != Verdict::Lost,
        "the client: {manifest} {content}"
    );

    install(&home, &user, &root)?;
    let said = Said::by(&user.command(&["doctor", "--json"]).output()?)?;
    assert_eq!(
        verdict(&said),
        expected,
        "we: {manifest} {content}: {:#?}",
        said.of("plugins")
    );
    Ok(())
}

/// What doctor takes for what the client does.
fn verdict(said: &Said) -> Verdict {
    let warnings = said
        .of("plugins")
        .into_iter()
        .filter(|finding| finding["level"] == "warning");
    let texts: Vec<&str> = warnings.filter_map(|one| one["text"].as_str()).collect();
    let lost = |text: &&str| {
        text.contains("Claude Code drops all hooks") || text.contains("does not load this plugin")
    };
    if texts.iter().any(lost) {
        Verdict::Lost
    } else if texts.is_empty() {
        Verdict::Taken
    } else {
        Verdict::Alone
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().context("a file is in a folder")?;
    fs::create_dir_all(folder)?;
    Ok(fs::write(path, text)?)
}

/// The client writes down how long the hook of a plugin took; doctor knows whose it was.
#[test]
fn the_cost_of_a_plugins_hook_is_told_with_its_plugin() -> Result<()> {
    let home = Home::fresh(RIG)?;
    let user = User::of(&home)?;
    let root = home.dir().join(".claude/plugins/cache/shop/probe/1.0.0");
    let command = |words: &str| json!([{"hooks": [{"type": "command", "command": words}]}]);
    let hooks = json!({"hooks": {
        "Stop": command("sh \"${CLAUDE_PLUGIN_ROOT}\"/slow.sh"),
        "PreToolUse": command("sh \"${CLAUDE_PLUGIN_ROOT}\"/says.sh"),
    }});
    write(&root.join("hooks/hooks.json"), &hooks.to_string())?;
    write(
        &root.join(".claude-plugin/plugin.json"),
        r#"{"name": "probe"}"#,
    )?;
    write(&root.join("slow.sh"), "sleep 0.1\n")?;
    write(
        &root.join("says.sh"),
        "echo '{\"systemMessage\": \"seen\"}'\n",
    )?;
    user.write("{}")?;
    let folder = root.display().to_string();
    Headless::new(&home)
        .scenario(scenarios::one_bash())
        .args(["--allowedTools", "Bash", "--plugin-dir", &folder])
        .run()?;
    install(&home, &user, &root)?;
    let said = Said::by(&user.command(&["doctor", "--json"]).output()?)?;
    said.finds("cost", "good", "slow.sh ")?;
    said.finds("cost", "good", " ms (plugin probe@shop, ")?;
    said.finds("cost", "good", "all hooks of a tool call ")?;
    Ok(())
}

/// Makes the plugin one that is installed and switched on.
fn install(home: &Home, user: &User, root: &Path) -> Result<()> {
    let list =
        json!({"version": 2, "plugins": {"probe@shop": [{"scope": "user", "installPath": root}]}});
    write(
        &home.dir().join(".claude/plugins/installed_plugins.json"),
        &list.to_string(),
    )?;
    user.write(json!({"enabledPlugins": {"probe@shop": true}}).to_string())
}
