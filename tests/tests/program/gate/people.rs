//! What people see: progress, status, explanations.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result};
use bellwether_tests::run::said;
use bellwether_tests::{Project, wait};
use serde_json::Value;

use super::{ON, read, report};

const PATIENCE: Duration = Duration::from_secs(30);

#[test]
fn a_run_by_hand_shows_each_check_and_ends_with_a_code() -> Result<()> {
    let config = "gate: {enabled: true, steps: {good: {run: 'true'}, bad: {run: 'echo wrong here; exit 3'}, docs: {run: 'false', files: ['*.rst']}}}\n";
    let project = Project::trusted(config)?;
    project.stage(&[("a.txt", "a\n")])?;
    let output = project.cli(["gate", "run"]).output()?;
    assert_eq!(output.status.code(), Some(1));
    let aside = String::from_utf8_lossy(&output.stderr).into_owned();
    for line in ["passed   good", "failed   bad", "skipped  docs"] {
        assert!(aside.contains(line), "{aside}");
    }
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        text,
        "bad: echo wrong here; exit 3\n    wrong here\n1 check failed\n"
    );
    project
        .place()
        .configure("gate: {enabled: true, steps: {good: {run: 'true'}}}\n")?;
    let output = project.cli(["gate", "run"]).output()?;
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "passed; this tree is not checked again\n"
    );
    Ok(())
}

#[test]
fn what_is_checked_now_is_shown_and_what_was_found_last() -> Result<()> {
    let config = "gate: {enabled: true, steps: {slow: {run: 'while ! [ -e \"$HOME/go\" ]; do sleep 0.05; done; echo wrong; exit 1'}}}\n";
    let project = Project::trusted(config)?;
    project.stage(&[("a.txt", "a\n")])?;
    let mut command = project.cli(["gate", "run", "--json"]);
    let child = command.stdout(Stdio::piped()).spawn()?;
    let status = || -> Result<Value> { read(&project.cli(["gate", "status", "--json"]).output()?) };
    let running = wait::until(PATIENCE, || {
        let running = status()?["running"][0].clone();
        Ok((running["steps"][0]["state"] == "running").then_some(running))
    })?;
    let running = running.context("it is not shown")?;
    assert_eq!(running["root"], project.root().display().to_string());
    let text = said(&project.cli(["gate", "status"]).output()?);
    assert!(text.contains(": 0 of 1 check done after"), "{text}");
    let all = said(&project.cli(["status"]).output()?);
    assert!(all.contains("gate     checking"), "{all}");
    std::fs::write(project.home().join("go"), "")?;
    child.wait_with_output()?;
    let after = status()?;
    assert_eq!(after["running"], Value::Array(Vec::new()));
    assert_eq!(after["last"]["report"]["outcome"], "failed");
    let text = said(&project.cli(["gate", "status"]).output()?);
    assert!(
        text.contains("running   nothing") && text.contains("1 check failed"),
        "{text}"
    );
    Ok(())
}

#[test]
fn an_explanation_says_what_where_and_why() -> Result<()> {
    let project = Project::trusted(ON)?;
    project.stage(&[
        ("package.json", r#"{"scripts":{"lint":"x"}}"#),
        ("pnpm-lock.yaml", ""),
        ("pyproject.toml", ""),
    ])?;
    project.write("left.txt", "untracked\n")?;
    let text = said(&project.cli(["gate", "explain"]).output()?);
    for part in [
        "on: commits in ",
        "where: in a tree of its own, because left.txt is not part of the commit",
        "node-lint                pnpm run lint",
        "package.json has a script `lint`; pnpm-lock.yaml means pnpm",
        "there is pyproject.toml; ruff is on PATH",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let empty = Project::trusted(ON)?;
    let text = said(&empty.cli(["gate", "explain"]).output()?);
    assert!(text.contains("checks: none apply. Looked for:"), "{text}");
    assert_eq!(report(&empty, &[])?["outcome"], "nothing");
    Ok(())
}

#[test]
fn the_nearest_folder_with_a_configuration_counts() -> Result<()> {
    let project = Project::untrusted("gate: {enabled: false}\n")?;
    let package = |word: &str| format!(r#"{{"scripts":{{"lint":"echo {word}"}}}}"#);
    project.stage(&[
        ("package.json", &package("root")),
        ("inner/package.json", &package("inner")),
        ("inner/src/a.js", "1\n"),
    ])?;
    project.trust(&project.root().join("inner"))?;
    project.place().configure(ON)?;
    let mut command = project.cli(["gate", "run", "--json"]);
    let report = read(
        &command
            .current_dir(project.root().join("inner/src"))
            .output()?,
    )?;
    assert_eq!(super::states(&report), "node-lint passed", "{report:#}");
    let refused = super::report(&project, &[])?;
    assert_eq!(
        refused["outcome"], "nothing",
        "the root itself is not trusted"
    );
    Ok(())
}

#[test]
fn outside_of_a_repository_that_is_said() -> Result<()> {
    let project = Project::trusted(ON)?;
    let output = project
        .cli(["gate", "run"])
        .current_dir(project.home())
        .output()?;
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said(&output).contains("is in no work tree of a git repository"),
        "{}",
        said(&output)
    );
    Ok(())
}

#[test]
fn doctor_says_what_cannot_run() -> Result<()> {
    let mut project = Project::trusted(ON)?;
    project.stage(&[("pyproject.toml", "")])?;
    let gate = |project: &Project| -> Result<Value> {
        let rows = read(&project.cli(["doctor", "--json"]).output()?)?;
        let rows = rows.as_array().context("no rows")?.clone();
        rows.into_iter()
            .find(|row| row["check"] == "gate")
            .context("no gate")
    };
    let good = gate(&project)?;
    assert!(good.to_string().contains("python-check"), "{good:#}");
    project.only(&[])?;
    let bad = gate(&project)?;
    assert!(bad.to_string().contains("ruff is missing"), "{bad:#}");
    Ok(())
}
