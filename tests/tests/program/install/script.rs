//! `./install`, completions and manual pages.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use bellwether_tests::{User, trace, typing};
use serde_json::Value;

#[test]
fn completions_and_manual_are_written() -> Result<()> {
    let user = User::new()?;
    for shell in ["bash", "zsh", "fish"] {
        let script = user.run(&["completions", shell])?;
        assert!(
            script.starts_with("exit 0\n") && script.contains("uninstall"),
            "{shell}"
        );
    }
    assert!(user.run(&["man"])?.contains(".TH bellwether 1"));
    assert_eq!(user.run(&["man", "--into", "man1"])?, "exit 0\n");
    let pages = fs::read_dir(user.home.join("project/man1"))?.count();
    assert!(pages > 5, "{pages} pages");
    Ok(())
}

/// `./install`, but for the building: a folder with everything in its place, and none of it left
/// when it is removed.
#[test]
fn the_script_puts_everything_in_place_and_takes_it_away() -> Result<()> {
    let user = User::new()?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../install")
        .canonicalize()?;
    let programs = user.programs.main().canonicalize()?;
    let programs = programs.parent().context("a program is in a folder")?;
    let prefix = user.home.join("pre fix");
    let words = [
        "--prefix",
        &prefix.display().to_string(),
        "--from",
        &programs.display().to_string(),
    ];
    let shown = user.shown(user.started(Command::new(&script), &words))?;
    assert!(shown.starts_with("exit 0\n"), "{shown}");
    assert!(
        shown.contains("~/pre fix/bin is not on your PATH"),
        "{shown}"
    );
    let settings: Value = serde_json::from_slice(&fs::read(user.settings())?)?;
    let hook = &settings["hooks"]["Stop"][0]["hooks"][0]["command"];
    assert_eq!(
        *hook,
        prefix.join("bin/bellwether-hook").display().to_string()
    );
    for file in [
        "bin/bellwether",
        "share/man/man1/bellwether.1",
        "share/man/man1/bellwether-install.1",
        "share/bash-completion/completions/bellwether",
        "share/zsh/site-functions/_bellwether",
        "share/fish/vendor_completions.d/bellwether.fish",
    ] {
        assert!(prefix.join(file).is_file(), "{file}: {shown}");
    }
    let at_login = user.started(
        Command::new(prefix.join("bin/bellwether")),
        &["overlay", "--at-login", "on"],
    );
    let shown = user.shown(at_login)?;
    let entry = user
        .home
        .join(".config/autostart/bellwether-overlay.desktop");
    assert!(entry.is_file(), "{shown}");
    let remove = |more: &str| -> Result<String> {
        let (script, prefix) = (script.display(), prefix.display());
        let line = format!("'{script}' --remove --prefix '{prefix}' {more}");
        let words = typing::words(&line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        user.shown(user.started(Command::new("bash"), &words))
    };
    let shown = remove("")?;
    assert!(shown.starts_with("exit 0\n"), "{shown}");
    let state = user.home.join(".local/state/bellwether");
    // The programs are gone, so they cannot be the advice.
    assert!(
        shown.contains("to delete it: rm -r '~/.local/state/bellwether'"),
        "{shown}"
    );
    assert!(state.exists() && !entry.exists());
    let shown = remove(&format!("--state --from '{}'", programs.display()))?;
    assert!(shown.starts_with("exit 0\n"), "{shown}");
    assert!(!state.exists());
    let left = trace::of(&prefix)?;
    let files: Vec<_> = left.iter().filter(|seen| seen.path.is_file()).collect();
    assert!(files.is_empty() && !user.settings().exists(), "{files:?}");
    Ok(())
}
