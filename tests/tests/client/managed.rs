//! The real client on a managed machine: nothing that a user or an agent can say to it takes the guard away.

use std::fs;

use anyhow::{Result, ensure};
use bellwether_tests::managed::on_managed_machine;
use bellwether_tests::{Headless, Home, Scenario, Settings};
use serde_json::json;

use super::guarded::{CLEANS, DENIED, Guarded, assert_refused};
use crate::RIG;

/// A name, words for the client, and variables.
type Case<'a> = (&'a str, &'a [&'a str], &'a [(&'a str, &'a str)]);

/// Plays a scenario that the guard refuses, with these words for the client; what the model heard.
fn played(name: &str, home: Home, words: &[&str], variables: &[(&str, &str)]) -> Result<String> {
    let guarded = Guarded::without_hooks(home)?;
    let etc = guarded.home.dir().join("etc");
    fs::create_dir_all(&etc)?;
    let scenario = Scenario::new(name)
        .says("I clean up.")
        .bash(DENIED)
        .says("Done.");
    let run = Headless::new(&guarded.home)
        .scenario(scenario)
        .within(on_managed_machine(&etc, "")?)
        .env("IS_SANDBOX", "1")
        .args(["--permission-mode", "bypassPermissions"])
        .args(words.iter().copied());
    let run = variables
        .iter()
        .fold(run, |run, (name, value)| run.env(name, value));
    let outcome = run.run()?;
    ensure!(outcome.status.success(), "{}", outcome.stderr);
    let results = guarded.results(name)?;
    ensure!(
        guarded.victim().exists(),
        "{name}: it was deleted: {results:?}"
    );
    Ok(results.concat())
}

#[test]
fn no_setting_of_a_user_takes_the_guard_away() -> Result<()> {
    let off = json!({"disableAllHooks": true}).to_string();
    let elsewhere = tempfile::tempdir()?;
    let elsewhere = elsewhere.path().display().to_string();
    let cases: [Case<'_>; 5] = [
        ("plain", &[], &[]),
        ("sources", &["--setting-sources", "project"], &[]),
        ("settings", &["--settings", &off], &[]),
        ("bare", &["--bare"], &[]),
        ("elsewhere", &[], &[("CLAUDE_CONFIG_DIR", &elsewhere)]),
    ];
    for (name, words, variables) in cases {
        let home = Home::fresh(RIG)?;
        home.write_settings(&Settings::new().set("disableAllHooks", json!(true)))?;
        assert_refused(&played(name, home, words, variables)?, CLEANS);
    }
    Ok(())
}

/// A cloned project says that the client is older than any, and that no hooks run.
#[test]
fn no_setting_of_a_project_takes_the_guard_away() -> Result<()> {
    let home = Home::fresh(RIG)?;
    home.write_project_settings(
        &Settings::new()
            .set("disableAllHooks", json!(true))
            .set("env", json!({"AI_AGENT": "claude-code_0-0-0"})),
    )?;
    assert_refused(&played("cloned", home, &[], &[])?, CLEANS);
    Ok(())
}
