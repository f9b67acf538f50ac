//! The hook that judges, against `/bin/true`: what no rule is interested in, what has to be parsed, what is
//! refused, and what git is asked about.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use super::hook::{BASELINE, OBSERVED, hook};
use super::interleave::{self, Subject};
use super::{Bench, Figure};
use crate::build::Program;
use bellwether_tests::{Installation, fixture};

/// How much slower than `/bin/true` a judged command may be when git is not asked.
const JUDGED: f64 = 1.3;

/// What is run, and how much slower it may be.
const COMMANDS: &[(&str, &str, Option<f64>)] = &[
    ("no keyword", "ls -la src docs", Some(OBSERVED)),
    (
        "parsed and harmless",
        "cd src && FOO=1 rm -rf node_modules && npm run build 2>&1 | tail -5",
        Some(JUDGED),
    ),
    ("refused and put on record", "sudo rm -rf /usr", None),
    ("git is asked", "git reset --hard", None),
];

pub(super) fn measure(bench: &Bench<'_>) -> Result<Vec<Figure>> {
    let place = Installation::new(&bench.dist.programs()?)?;
    let _daemon = place.start_daemon(&[])?;
    let project = project(&bench.workspace.leavings("bench")?)?;
    let post = fixture::tool_call("bench", 1000);
    let mut subjects = vec![Subject::new(BASELINE, BASELINE, &post)];
    for (name, command, at_most) in COMMANDS {
        let payload = json!({
            "session_id": "855cf6ed-e06b-402f-8cd5-e8716e9b9770",
            "transcript_path": "/home/dev/.claude/projects/-home-dev-proj/855cf6ed-e06b-402f-8cd5-e8716e9b9770.jsonl",
            "cwd": project, "permission_mode": "acceptEdits", "hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_input": {"command": command, "description": "Clean and build"},
            "tool_use_id": "toolu_38c2cfc26b264cc69e666a77",
        });
        subjects.push(Subject {
            at_most: *at_most,
            variables: vec![("CLAUDE_PROJECT_DIR", OsString::from(&project))],
            ..hook(
                bench,
                &Program::HOOK,
                &place,
                name,
                payload.to_string().as_bytes(),
            )
        });
    }
    interleave::figures("guard", &subjects, bench.arguments.runs)
}

/// A repository with a package in it. It is not where temporary files are: those may go without a look.
fn project(folder: &Path) -> Result<PathBuf> {
    let project = folder.join("project");
    std::fs::create_dir_all(project.join("src/node_modules/left-pad"))?;
    let package = json!({"name": "bench", "scripts": {"build": "tsc -p ."}});
    std::fs::write(project.join("src/package.json"), package.to_string())?;
    let git = Command::new("git")
        .args(["init", "--quiet"])
        .current_dir(&project)
        .status()
        .context("run git")?;
    ensure!(git.success(), "git made no repository");
    Ok(project)
}
