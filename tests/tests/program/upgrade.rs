//! `upgrade`: what is registered is brought up to date, and what was chosen stays.

use std::fs;

use anyhow::Result;
use bellwether_tests::User;
use insta::assert_snapshot;
use serde_json::Value;

/// The words of our entry for an event.
fn entry(user: &User, event: &str) -> Result<Value> {
    let settings: Value = serde_json::from_slice(&fs::read(user.settings())?)?;
    Ok(settings["hooks"][event][0]["hooks"][0].clone())
}

fn events(user: &User) -> Result<usize> {
    let settings: Value = serde_json::from_slice(&fs::read(user.settings())?)?;
    Ok(settings["hooks"]
        .as_object()
        .map_or(0, serde_json::Map::len))
}

fn upgraded(user: &User, words: &[&str]) -> Result<Value> {
    let words = [&["upgrade", "--json"], words].concat();
    Ok(serde_json::from_slice(
        &user.command(&words).output()?.stdout,
    )?)
}

#[test]
fn an_upgrade_adds_what_a_newer_client_has() -> Result<()> {
    let user = User::new()?;
    assert_snapshot!(user.run(&["upgrade"])?, @"
    exit 0
    the hook is not registered in your settings or in this project's: bellwether install
    ");
    user.client("echo '2.1.250 (Claude Code)'")?;
    user.installed()?;
    let before = fs::read(user.settings())?;
    assert_snapshot!(user.run(&["upgrade"])?, @"
    exit 0
    ~/.claude/settings.json is up to date for Claude Code 2.1.250
    ");
    user.client("echo '2.1.325 (Claude Code)'")?;
    let shown = user.run(&["upgrade", "--dry-run"])?;
    assert!(shown.contains("+    \"PreModelSwitch\": ["), "{shown}");
    assert_eq!(fs::read(user.settings())?, before);
    assert_snapshot!(user.run(&["upgrade"])?, @"
    exit 0
    ~/.claude/settings.json was for 2.1.250 and is now for Claude Code 2.1.325
      added: PreModelSwitch, PostModelSwitch
      updated: 28 events
    New sessions of Claude Code use it at once; restart those that are open.
    ");
    assert_eq!(entry(&user, "PreToolUse")?["onFailure"], "block");
    let said = upgraded(&user, &[])?;
    assert_eq!(said["files"][0]["changed"], false);
    Ok(())
}

/// Back to a client that would ignore the whole file for one event that it does not know.
#[test]
fn an_older_client_gets_what_it_knows() -> Result<()> {
    let user = User::new()?;
    user.write("{\"model\": \"x\"}")?;
    user.installed()?;
    let said = upgraded(&user, &["--client-version", "1.0.38"])?;
    let file = &said["files"][0];
    assert_eq!(
        (&file["was"], &file["client"]),
        (&"2.1.325".into(), &"1.0.38".into())
    );
    assert_eq!(events(&user)?, 4);
    let stop = entry(&user, "Stop")?;
    let command = stop["command"].as_str().unwrap_or_default();
    assert!(
        command.ends_with("--client 1.0.38 --from user --event Stop"),
        "{command}"
    );
    assert_eq!(
        (&stop["args"], &stop["timeout"]),
        (&Value::Null, &Value::Null)
    );
    // And forth again.
    upgraded(&user, &[])?;
    assert_eq!(events(&user)?, 30);
    assert!(user.at_terminal(&["uninstall"])?.starts_with("exit 0"));
    assert_eq!(fs::read_to_string(user.settings())?, "{\"model\": \"x\"}");
    Ok(())
}

#[test]
fn what_was_chosen_stays() -> Result<()> {
    let user = User::new()?;
    user.client("echo '2.1.300 (Claude Code)'")?;
    let chosen = [
        "install",
        "--only",
        "PreToolUse,Stop",
        "--on-failure",
        "allow",
        "--home",
        "/tmp/bellwether-elsewhere",
    ];
    assert!(user.run(&chosen)?.starts_with("exit 0"));
    assert!(
        user.run(&["install", "--wait", "--home", "/tmp/bellwether-elsewhere"])?
            .starts_with("exit 0")
    );
    user.client("echo '2.1.325 (Claude Code)'")?;
    let said = upgraded(&user, &[])?;
    let file = &said["files"][0];
    assert_eq!(file["added"], serde_json::json!([]));
    assert_eq!(file["left_out"].as_array().map(Vec::len), Some(28));
    assert_eq!(events(&user)?, 2);
    let guarded = entry(&user, "PreToolUse")?;
    assert_eq!(guarded["onFailure"], Value::Null);
    let words = guarded["args"].to_string();
    assert!(
        words.contains("2.1.325") && words.contains("bellwether-elsewhere"),
        "{words}"
    );
    let text = fs::read_to_string(user.settings())?;
    assert_eq!(text.matches("--wait").count(), 1);
    assert!(!text.contains("2.1.300"), "{text}");
    Ok(())
}

#[test]
fn every_file_of_the_folder_is_brought_up_to_date_and_a_broken_one_is_told() -> Result<()> {
    let user = User::new()?;
    user.client("echo '2.1.250 (Claude Code)'")?;
    user.installed()?;
    assert!(user.run(&["install", "--local"])?.starts_with("exit 0"));
    let shared = user.home.join("project/.claude/settings.json");
    fs::write(&shared, "{\"hooks\": \"bellwether-hook\"")?;
    user.client("echo '2.1.325 (Claude Code)'")?;
    let said = upgraded(&user, &[])?;
    let files = said["files"].as_array().cloned().unwrap_or_default();
    let scopes: Vec<&str> = files
        .iter()
        .filter_map(|file| file["scope"].as_str())
        .collect();
    assert_eq!(scopes, ["user", "project", "local"]);
    let changed: Vec<bool> = files.iter().map(|file| file["changed"] == true).collect();
    assert_eq!(changed, [true, false, true]);
    let trouble = files[1]["trouble"].as_str().unwrap_or_default();
    assert!(trouble.contains("is left as it is"), "{trouble}");
    assert!(user.run(&["upgrade"])?.starts_with("exit 1"));
    Ok(())
}

/// A client that is kept as `…/claude/versions/VERSION` is known without being run.
#[test]
fn status_tells_what_an_upgrade_would_bring() -> Result<()> {
    let user = User::new()?;
    let put = |version: &str| -> Result<()> {
        let file = user.home.join("share/claude/versions").join(version);
        fs::create_dir_all(user.home.join("share/claude/versions"))?;
        fs::copy(user.bin.join("claude"), &file)?;
        fs::remove_file(user.bin.join("claude"))?;
        Ok(std::os::unix::fs::symlink(&file, user.bin.join("claude"))?)
    };
    let notices = || -> Result<String> {
        let said: Value =
            serde_json::from_slice(&user.command(&["status", "--json"]).output()?.stdout)?;
        Ok(said["notices"][0]
            .as_str()
            .unwrap_or_default()
            .replace(&user.home.display().to_string(), "~"))
    };
    put("2.1.325")?;
    user.installed()?;
    assert_eq!(notices()?, "");
    assert!(
        user.run(&["upgrade", "--client-version", "2.1.250"])?
            .starts_with("exit 0")
    );
    assert_eq!(
        notices()?,
        "~/.claude/settings.json is for Claude Code 2.1.250, and Claude Code 2.1.325 is here: `bellwether upgrade` adds PreModelSwitch, PostModelSwitch, blocking a tool call when the guard's hook fails"
    );
    assert!(user.run(&["upgrade"])?.starts_with("exit 0"));
    put("2.1.90")?;
    let said = notices()?;
    assert!(
        said.starts_with("Claude Code 2.1.90 ignores all of ~/.claude/settings.json"),
        "{said}"
    );
    Ok(())
}
