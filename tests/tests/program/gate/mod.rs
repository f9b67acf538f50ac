//! The gate's runner: real repositories, real tools, real hangs.

mod ecosystems;
mod ends;
mod hostile;
mod missing;
mod people;
mod remembered;
mod staged;

use std::process::Output;

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::Project;
use serde_json::Value;

const ON: &str = "gate: {enabled: true}\n";

/// Runs the checks of a project; the report.
fn report(project: &Project, words: &[&str]) -> Result<Value> {
    let words = [&["gate", "run", "--json"], words].concat();
    let output = project.cli(words).output()?;
    read(&output)
}

fn read(output: &Output) -> Result<Value> {
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).with_context(|| format!("no JSON; {said}"))
}

/// How each check ended: `node-lint failed, node-build passed`.
fn states(report: &Value) -> String {
    let steps = report["steps"].as_array().cloned().unwrap_or_default();
    let told = steps.iter().map(|step| {
        let text = |key: &str| step[key].as_str().unwrap_or_default().to_owned();
        format!("{} {}", text("name"), text("state"))
    });
    told.collect::<Vec<_>>().join(", ")
}

/// The lines of the check that is named.
fn lines(report: &Value, name: &str) -> String {
    let steps = report["steps"].as_array().cloned().unwrap_or_default();
    let step = steps.into_iter().find(|step| step["name"] == name);
    let lines = step
        .and_then(|step| step["lines"].as_array().cloned())
        .unwrap_or_default();
    lines
        .iter()
        .filter_map(Value::as_str)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Makes sure that the gate has left no tree of its own and no file of a run.
fn nothing_left(project: &Project) -> Result<()> {
    let home = project.place().home();
    for folder in [home.gate_trees(), home.gate_running()] {
        let left: Vec<_> = std::fs::read_dir(&folder)
            .into_iter()
            .flatten()
            .flatten()
            .collect();
        ensure!(left.is_empty(), "left: {left:?}");
    }
    Ok(())
}
