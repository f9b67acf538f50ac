//! What is not installed is named once and stops nobody.

use std::process::Stdio;

use anyhow::Result;
use bellwether_tests::Project;
use serde_json::Value;

use super::{ON, lines, read, report, states};

/// A run as a hook starts it, with a pipe that stays open.
fn hooked(project: &Project) -> Result<Value> {
    let mut command = project.cli([
        "gate",
        "run",
        "--json",
        "--with-parent",
        "--deadline-ms",
        "30000",
    ]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let pipe = child.stdin.take();
    let output = child.wait_with_output()?;
    drop(pipe);
    read(&output)
}

#[test]
fn a_missing_tool_is_named_once() -> Result<()> {
    let mut project = Project::trusted(ON)?;
    project.only(&[])?;
    project.stage(&[("pyproject.toml", "\n"), ("a.py", "import os\n")])?;
    let first = hooked(&project)?;
    assert_eq!(first["outcome"], "nothing");
    assert_eq!(
        states(&first),
        "python-check missing, python-format missing"
    );
    let note = first["note"].as_str().unwrap_or_default();
    assert_eq!(
        note,
        "python-check, python-format did not run: ruff is missing: install ruff, for instance with `uv add --dev ruff`"
    );
    project.stage(&[("a.py", "import sys\n")])?;
    let second = hooked(&project)?;
    assert_eq!(second["note"].as_str(), None, "{second:#}");
    // Whoever asks by hand is told again.
    let by_hand = report(&project, &["--again"])?;
    assert!(
        by_hand["note"]
            .as_str()
            .is_some_and(|note| note.contains("ruff is missing")),
        "{by_hand:#}"
    );
    Ok(())
}

#[test]
fn what_can_run_runs_all_the_same() -> Result<()> {
    let mut project = Project::trusted(ON)?;
    project.only(&["ruff"])?;
    let package = r#"{"scripts":{"lint":"eslint ."},"devDependencies":{"eslint":"*"}}"#;
    project.stage(&[
        ("pyproject.toml", "\n"),
        ("a.py", "import os\n"),
        ("package.json", package),
    ])?;
    let bad = report(&project, &[])?;
    assert_eq!(
        states(&bad),
        "node-lint missing, python-check failed, python-format passed"
    );
    project.stage(&[("a.py", "x = 1\n")])?;
    let good = report(&project, &[])?;
    assert_eq!(good["outcome"], "passed");
    assert!(
        good["note"]
            .as_str()
            .is_some_and(|note| note.contains("npm is missing")),
        "{good:#}"
    );
    Ok(())
}

#[test]
fn packages_and_programs_that_are_not_installed_do_not_block() -> Result<()> {
    let project = Project::trusted(ON)?;
    let package = |dependencies: &str| {
        format!(
            r#"{{"name":"p","version":"1.0.0","scripts":{{"lint":"nosuchlinter ."}}{dependencies}}}"#
        )
    };
    project.stage(&[(
        "package.json",
        &package(r#","devDependencies":{"eslint":"*"}"#),
    )])?;
    let none = report(&project, &[])?;
    assert_eq!(
        lines(&none, "node-lint"),
        "node_modules is missing: run `npm install`"
    );
    for lock in ["package-lock.json", "pnpm-lock.yaml", "yarn.lock"] {
        let project = Project::trusted(ON)?;
        project.stage(&[("package.json", &package("")), (lock, "")])?;
        let gone = report(&project, &[])?;
        assert_eq!(states(&gone), "node-lint missing", "{lock}: {gone:#}");
        assert_eq!(lines(&gone, "node-lint"), "nosuchlinter is not installed");
    }
    Ok(())
}

#[test]
fn nothing_is_downloaded() -> Result<()> {
    let project = Project::trusted(ON)?;
    project.stage(&[
        ("package.json", r#"{"name":"p","version":"1.0.0","scripts":{"lint":"npx --yes left-pad"}}"#),
        ("Cargo.toml", "[package]\nname = \"r\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\nserde = \"1\"\n"),
        ("src/lib.rs", "//! Nothing.\n"),
    ])?;
    let report = report(&project, &[])?;
    assert_eq!(
        states(&report),
        "rust-clippy missing, rust-fmt passed, node-lint missing",
        "{report:#}"
    );
    assert!(
        lines(&report, "rust-clippy").contains("cargo fetch"),
        "{report:#}"
    );
    assert!(
        lines(&report, "node-lint").contains("by npx is not installed"),
        "{report:#}"
    );
    Ok(())
}
