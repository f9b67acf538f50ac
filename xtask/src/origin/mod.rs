//! Runs case files of the projects that bellwether comes from. The files stay outside the tree:
//! they are not ours, and no row of them is copied.
//!
//! A file is `TOPIC.jsonl`, one case a line. What a case means is known to the runner of its topic:
//! one file in `topics/` and one line in its list. A topic without a runner is named and passed over.

mod planned;
mod project;
mod topics;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::Outcome;

/// So many failures of a topic are shown.
const SHOWN: usize = 5;

/// What `origin` is asked for.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder of the case files
    #[arg(long)]
    dir: PathBuf,
    /// Run only these topics
    #[arg(long, num_args = 1..)]
    only: Vec<String>,
}

/// What became of a case.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    /// As the original.
    Pass,
    /// Unlike the original, and no reason is known.
    Fail { expected: String, got: String },
    /// Unlike the original on purpose, for this reason.
    Excused(&'static str),
}

/// The verdicts on one topic's cases.
#[derive(Debug, Default)]
struct Tally {
    passed: usize,
    excused: Vec<String>,
    failed: Vec<String>,
}

/// Runs every case for which there is a runner.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome> {
    let mut outcome = Outcome::Good;
    for (topic, path) in case_files(&arguments.dir)? {
        if !arguments.only.is_empty() && !arguments.only.contains(&topic) {
            continue;
        }
        let Some(runner) = topics::ALL.iter().find(|runner| runner.topic() == topic) else {
            println!("{topic}: no runner yet");
            continue;
        };
        let tally = tally(&path, runner.run)?;
        print(&topic, &tally);
        if !tally.failed.is_empty() {
            outcome = Outcome::Bad;
        }
    }
    Ok(outcome)
}

/// The topics in a folder, by name.
fn case_files(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let listed = std::fs::read_dir(folder).with_context(|| format!("list {}", folder.display()))?;
    let mut files = Vec::new();
    for entry in listed {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            let topic = path.file_stem().unwrap_or_default().to_string_lossy();
            files.push((topic.into_owned(), path.clone()));
        }
    }
    files.sort();
    Ok(files)
}

fn tally(path: &Path, run: fn(&Value) -> Verdict) -> Result<Tally> {
    let text = std::fs::read_to_string(path).with_context(|| format!("read {}", path.display()))?;
    let mut tally = Tally::default();
    for (number, line) in (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty())
    {
        let case: Value = serde_json::from_str(line)
            .with_context(|| format!("{} line {number}", path.display()))?;
        let name = case["case"].as_str().unwrap_or("-");
        match run(&case) {
            Verdict::Pass => tally.passed += 1,
            Verdict::Excused(reason) => tally
                .excused
                .push(format!("line {number} {name}: {reason}")),
            Verdict::Fail { expected, got } => {
                tally.failed.push(format!(
                    "line {number} {name}: expected {expected}, got {got}"
                ));
            }
        }
    }
    Ok(tally)
}

fn print(topic: &str, tally: &Tally) {
    let Tally {
        passed,
        excused,
        failed,
    } = tally;
    println!(
        "{topic}: {passed} passed, {} failed, {} excused",
        failed.len(),
        excused.len()
    );
    for line in excused {
        println!("  excused {line}");
    }
    for line in failed.iter().take(SHOWN) {
        println!("  failed {line}");
    }
    if failed.len() > SHOWN {
        println!("  and {} more", failed.len() - SHOWN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_counted_by_verdict() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        std::fs::write(&path, "{\"case\":\"x\",\"n\":1}\n\n{\"n\":2}\n{\"n\":3}\n").unwrap();
        let tally = tally(&path, |case| match case["n"].as_u64() {
            Some(1) => Verdict::Pass,
            Some(2) => Verdict::Excused("known"),
            _ => Verdict::Fail {
                expected: "a".into(),
                got: "b".into(),
            },
        })
        .unwrap();
        assert_eq!(tally.passed, 1);
        assert_eq!(tally.excused, ["line 3 -: known"]);
        assert_eq!(tally.failed, ["line 4 -: expected a, got b"]);
        assert_eq!(case_files(folder.path()).unwrap()[0].0, "a");
    }
}
