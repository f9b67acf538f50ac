//! `install`, `uninstall` and `doctor` where the client has our plugin on.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};
use bellwether_tests::User;
use bellwether_tests::doctor::Said;
use serde_json::{Value, json};

use super::plugin;

/// What the client 2.0.30 knows, and the plugin so brings.
const BROUGHT: [&str; 9] = [
    "Notification",
    "PostToolUse",
    "PreCompact",
    "PreToolUse",
    "SessionEnd",
    "SessionStart",
    "Stop",
    "SubagentStop",
    "UserPromptSubmit",
];

/// Somebody who has the plugin, as `claude plugin install` leaves it.
struct Owner {
    user: User,
    root: PathBuf,
}

impl Owner {
    fn new() -> Result<Self> {
        let user = User::new()?;
        let plugins = user.home.join(".claude/plugins");
        let root = plugins.join("cache/bellwether/bellwether/0.1.0");
        fs::create_dir_all(&root)?;
        copy(&plugin(), &root)?;
        let list = json!({"version": 2, "plugins": {"bellwether@bellwether": [{"scope": "user", "installPath": root}]}});
        fs::write(plugins.join("installed_plugins.json"), list.to_string())?;
        let bin = user.home.join(".local/bin");
        fs::create_dir_all(&bin)?;
        symlink(user.programs.hook(), bin.join("bellwether-hook"))?;
        let owner = Self { user, root };
        owner.switch(true)?;
        Ok(owner)
    }

    /// Settings of a user who has nothing but the plugin.
    fn switch(&self, on: bool) -> Result<()> {
        let settings = json!({"model": "opus", "enabledPlugins": {"bellwether@bellwether": on}});
        self.user.write(format!("{settings:#}\n"))
    }

    fn registered(&self) -> Result<Vec<String>> {
        let settings: Value = serde_json::from_slice(&fs::read(self.user.settings())?)?;
        let hooks = settings["hooks"].as_object();
        Ok(hooks
            .into_iter()
            .flatten()
            .map(|(event, _)| event.clone())
            .collect())
    }

    fn doctor(&self) -> Result<Said> {
        Said::by(&self.user.command(&["doctor", "--json"]).output()?)
    }

    fn rewrite(&self, path: &str, from: &str, to: &str) -> Result<()> {
        let text = fs::read_to_string(self.root.join(path))?;
        ensure!(text.contains(from), "{path} has no {from}");
        Ok(fs::write(self.root.join(path), text.replace(from, to))?)
    }
}

/// Copies with modes, as the client does.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let status = Command::new("cp")
        .arg("-a")
        .arg(from.join("."))
        .arg(to)
        .status()?;
    ensure!(status.success(), "cp: {status}");
    Ok(())
}

#[test]
fn install_adds_what_the_plugin_does_not_bring() -> Result<()> {
    let owner = Owner::new()?;
    let before = fs::read(owner.user.settings())?;
    let said = owner.user.run(&["install"])?;
    assert!(
        said.contains(
            "the plugin bellwether@bellwether brings 9 events; only the others are registered"
        ),
        "{said}"
    );
    assert!(said.contains("added 21 events"), "{said}");
    let registered = owner.registered()?;
    assert_eq!(registered.len(), 21, "{registered:?}");
    assert!(
        BROUGHT
            .iter()
            .all(|event| !registered.iter().any(|one| one == event))
    );
    let said = owner.doctor()?;
    said.assert_good("twice");
    said.assert_good("own_plugin");
    // What comes by the plugin is not missing, and the one thing that it cannot do is told.
    let found = said.of("registration");
    assert_eq!(found.len(), 1, "{found:#?}");
    said.finds("registration", "note", "the guard comes by the plugin")?;
    let again = owner.user.run(&["install"])?;
    assert!(again.contains("already installed"), "{again}");

    let said = owner.user.at_terminal(&["uninstall"])?;
    assert!(
        said.contains("the plugin bellwether@bellwether is still on"),
        "{said}"
    );
    assert!(
        said.contains("claude plugin uninstall bellwether@bellwether"),
        "{said}"
    );
    assert_eq!(fs::read(owner.user.settings())?, before);
    Ok(())
}

#[test]
fn an_old_client_needs_nothing_but_the_plugin() -> Result<()> {
    let owner = Owner::new()?;
    owner.user.client("echo '2.0.30 (Claude Code)'")?;
    let before = fs::read(owner.user.settings())?;
    let said = owner.user.run(&["install"])?;
    assert!(said.starts_with("exit 0\n"), "{said}");
    assert!(said.contains("nothing is left to register"), "{said}");
    assert_eq!(fs::read(owner.user.settings())?, before);
    owner.doctor()?.assert_good("registration");
    Ok(())
}

#[test]
fn a_client_that_keeps_no_copy_runs_the_marketplaces() -> Result<()> {
    let owner = Owner::new()?;
    let plugins = owner.user.home.join(".claude/plugins");
    fs::remove_file(plugins.join("installed_plugins.json"))?;
    let all = owner.user.run(&["install", "--dry-run"])?;
    assert!(all.contains("PreToolUse"), "it is nowhere: {all}");
    let clone = plugin().join("..").canonicalize()?;
    let known = json!({"bellwether": {"installLocation": clone}});
    fs::write(plugins.join("known_marketplaces.json"), known.to_string())?;
    owner.user.installed()?;
    assert_eq!(owner.registered()?.len(), 21);
    owner.doctor()?.assert_good("own_plugin");
    Ok(())
}

/// Whoever can put files somewhere must not be able to take the guard away with them.
#[test]
fn a_plugin_that_is_off_or_not_ours_changes_nothing() -> Result<()> {
    let owner = Owner::new()?;
    owner.switch(false)?;
    owner.user.installed()?;
    assert_eq!(owner.registered()?.len(), 30);

    for (path, from, to) in [
        ("hooks/bellwether-hook", "exec", "true"),
        ("hooks/hooks.json", "--from plugin", "--help"),
    ] {
        let owner = Owner::new()?;
        owner.rewrite(path, from, to)?;
        let said = owner.user.run(&["install"])?;
        assert!(said.contains("differs from this version"), "{said}");
        assert_eq!(owner.registered()?.len(), 30, "{path}");
        owner.doctor()?.finds(
            "own_plugin",
            "warning",
            "differs from the one of this version",
        )?;
    }
    Ok(())
}

#[test]
fn events_that_come_by_both_are_named_and_taken_out() -> Result<()> {
    let owner = Owner::new()?;
    owner.switch(false)?;
    owner.user.installed()?;
    let settings = fs::read_to_string(owner.user.settings())?;
    owner.user.write(settings.replace(": false", ": true"))?;
    let said = owner.doctor()?;
    said.finds(
        "twice",
        "warning",
        "9 events registered in the user settings and by the plugin",
    )?;
    let said = owner.user.at_terminal(&["install"])?;
    assert!(said.contains("removed 9 events"), "{said}");
    owner.doctor()?.assert_good("twice");
    Ok(())
}

#[test]
fn a_project_that_switches_it_off_is_told() -> Result<()> {
    let owner = Owner::new()?;
    owner.user.installed()?;
    let project = owner.user.home.join("project/.claude");
    fs::create_dir_all(&project)?;
    let off = json!({"enabledPlugins": {"bellwether@bellwether": false}});
    fs::write(project.join("settings.json"), off.to_string())?;
    owner.doctor()?.finds(
        "registration",
        "warning",
        "9 events not registered, so not seen",
    )?;
    Ok(())
}

#[test]
fn copies_of_another_version_are_named() -> Result<()> {
    let owner = Owner::new()?;
    owner.rewrite(
        ".claude-plugin/plugin.json",
        env!("CARGO_PKG_VERSION"),
        "0.0.9",
    )?;
    let said = owner.doctor()?;
    let found = said.finds("own_plugin", "warning", "has version 0.0.9, this program")?;
    let advice = found["advice"].as_str().unwrap_or_default();
    assert!(
        advice.contains("claude plugin marketplace update bellwether"),
        "{advice}"
    );

    let owner = Owner::new()?;
    let clone = owner.user.home.join("clone");
    fs::create_dir_all(clone.join("plugin"))?;
    fs::create_dir_all(clone.join(".claude-plugin"))?;
    copy(&plugin(), &clone.join("plugin"))?;
    let offers = plugin().join("../.claude-plugin/marketplace.json");
    fs::copy(offers, clone.join(".claude-plugin/marketplace.json"))?;
    let known = json!({"bellwether": {"installLocation": clone}});
    let plugins = owner.user.home.join(".claude/plugins");
    fs::write(plugins.join("known_marketplaces.json"), known.to_string())?;
    owner.doctor()?.assert_good("own_plugin");
    fs::write(clone.join("plugin/hooks/hooks.json"), "{}")?;
    owner.doctor()?.finds(
        "own_plugin",
        "warning",
        "a copy of plugin bellwether@bellwether has other files",
    )?;
    Ok(())
}

#[test]
fn a_plugin_that_finds_no_hook_is_a_problem() -> Result<()> {
    let owner = Owner::new()?;
    fs::remove_file(owner.user.home.join(".local/bin/bellwether-hook"))?;
    owner.doctor()?.finds(
        "own_plugin",
        "problem",
        "the plugin does not find bellwether-hook",
    )?;
    Ok(())
}
