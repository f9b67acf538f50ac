//! A commit on its way past the gate: where there is none, and where what is staged has passed before.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use bellwether_hook::gate::{Config, Passes};
use bellwether_spine::config::Trust;
use bellwether_tests::Installation;
use serde_json::json;

use super::figure::Goal;
use super::hook::hook;
use super::interleave::{self, Subject};
use super::{Bench, Figure};
use crate::build::Program;

/// How much slower than another command of git a commit may be where there is no gate: the same, but for noise.
const WITHOUT: f64 = 1.1;
/// How much slower than that one that has passed before may be.
const PASSED: f64 = 1.3;

/// The rows that are compared with one another: a commit without a gate, a commit that has passed.
const COMPARED: [usize; 2] = [1, 2];

pub(super) fn measure(bench: &Bench<'_>) -> Result<Vec<Figure>> {
    let project = project(&bench.workspace.leavings("bench-gate")?)?;
    let place = Installation::new(&bench.dist.programs()?)?;
    let gated = Installation::configured(&bench.dist.programs()?, "gate: {enabled: true}\n")?;
    let (_daemon, _gated) = (place.start_daemon(&[])?, gated.start_daemon(&[])?);
    let_pass(&gated, &project)?;
    let in_project = |subject: Subject<'static>| Subject {
        variables: vec![("CLAUDE_PROJECT_DIR", OsString::from(&project))],
        ..subject
    };
    let visit = |name: &str, place: &Installation, command: &str| {
        let payload = payload(&project, command);
        let subject = hook(bench, &Program::HOOK, place, name, payload.as_bytes());
        in_project(Subject {
            arguments: subject.arguments,
            ..Subject::new(name, subject.program, payload.as_bytes())
        })
    };
    let subjects = [
        visit("git log, no gate", &place, "git log --oneline -3"),
        Subject {
            at_most: Some(WITHOUT),
            ..visit("git commit, no gate", &place, "git commit -m x")
        },
        visit("git commit, passed before", &gated, "git commit -m x"),
    ];
    let mut figures = interleave::figures("gate", &subjects, bench.arguments.runs)?;
    let [without, passed] = COMPARED.map(|row| figures[row].value);
    figures.push(Figure {
        ratio: Some(passed / without),
        ..Figure::alone(
            "gate",
            "git commit, passed before, to one without a gate".to_owned(),
            (passed, "µs"),
            Some(Goal::AtMost(PASSED)),
        )
    });
    Ok(figures)
}

fn payload(project: &Path, command: &str) -> String {
    json!({
        "session_id": "855cf6ed-e06b-402f-8cd5-e8716e9b9770",
        "transcript_path": "/home/dev/.claude/projects/-home-dev-proj/855cf6ed-e06b-402f-8cd5-e8716e9b9770.jsonl",
        "cwd": project, "permission_mode": "acceptEdits", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": command, "description": "Commit"}, "tool_use_id": "toolu_38c2cfc26b264cc69e666a77",
    })
    .to_string()
}

/// Trusts the project, and remembers that what is staged in it has passed.
fn let_pass(place: &Installation, project: &Path) -> Result<()> {
    let mut trust = Trust::load(place.home());
    trust.grant(project.join(".claude/bellwether.yaml"), b"");
    trust.save(place.home())?;
    let compiled = place
        .cli(["config", "compile", "--project"])
        .arg(project)
        .output()?;
    ensure!(compiled.status.success(), "the settings were not compiled");
    let tree = git(project, &["write-tree"])?;
    let rules = Config {
        enabled: true,
        ..Config::default()
    }
    .rules();
    Ok(Passes(place.home()).add(project, tree.trim(), &rules, &[])?)
}

/// A repository with a few hundred files, and something staged.
fn project(folder: &Path) -> Result<PathBuf> {
    let project = folder.canonicalize()?.join("project");
    if project.exists() {
        std::fs::remove_dir_all(&project)?;
    }
    for number in 0..300 {
        let file = project.join(format!("src/part{}/file{number}.txt", number % 20));
        std::fs::create_dir_all(file.parent().unwrap_or(&project))?;
        std::fs::write(file, format!("{number}\n"))?;
    }
    git(&project, &["init", "--quiet", "--initial-branch=main"])?;
    git(&project, &["add", "--all"])?;
    git(&project, &["commit", "--quiet", "--message=one"])?;
    std::fs::write(project.join("src/part0/file0.txt"), "changed\n")?;
    git(&project, &["add", "--all"])?;
    Ok(project)
}

fn git(folder: &Path, words: &[&str]) -> Result<String> {
    let output = Command::new("/usr/bin/git")
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
        .args(words)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .context("run git")?;
    ensure!(output.status.success(), "git {words:?} failed");
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
