//! However a run ends, nothing of it stays.

use std::ffi::OsStr;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::{Project, process, wait};

use super::{lines, nothing_left, read, report, states};

const PATIENCE: Duration = Duration::from_secs(30);

/// How long the processes of one test sleep: nobody else sleeps so long.
fn nap(test: u32) -> String {
    format!("3{test}{:07}", std::process::id())
}

/// A check that starts processes in every way to get lost, and waits for them.
fn hanging(nap: &str, more: &str) -> String {
    let run = format!(
        "echo begun; sleep {nap} & setsid sleep {nap} & env -i sleep {nap} & env -i setsid sleep {nap} & nohup sleep {nap} & sleep {nap}"
    );
    format!(
        "gate: {{enabled: true, steps: {{hang: {{run: '{run}'}}, quick: {{run: 'true'}}{more}}}}}\n"
    )
}

fn sleepers(nap: &str) -> Result<usize> {
    Ok(process::with_words(&[OsStr::new("sleep"), OsStr::new(nap)])?.len())
}

/// Waits until as many sleep.
fn until_sleeping(nap: &str, count: usize) -> Result<()> {
    let all = wait::until(PATIENCE, || Ok((sleepers(nap)? == count).then_some(())))?;
    all.with_context(|| format!("{:?} sleep, not {count}", sleepers(nap)))
}

fn until_nothing_is_left(project: &Project) -> Result<()> {
    wait::until(PATIENCE, || Ok(nothing_left(project).ok()))?;
    nothing_left(project)
}

/// A run that waits at its parent's pipe, with its tree elsewhere than the work tree.
fn started(project: &Project, words: &[&str]) -> Result<Child> {
    project.stage(&[("a.txt", "a\n")])?;
    project.write("untracked.txt", "so that the tree is laid out elsewhere\n")?;
    let words = [&["gate", "run", "--json", "--with-parent"], words].concat();
    let mut command = project.cli(words);
    Ok(command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?)
}

#[test]
fn a_hang_ends_at_the_deadline_with_a_clear_word() -> Result<()> {
    let nap = nap(1);
    let project = Project::trusted(&hanging(&nap, ""))?;
    let mut child = started(&project, &["--deadline-ms", "4000"])?;
    let pipe = child.stdin.take();
    let begun = Instant::now();
    until_sleeping(&nap, 6)?;
    let output = child.wait_with_output()?;
    drop(pipe);
    ensure!(begun.elapsed() < PATIENCE);
    assert_eq!(
        sleepers(&nap)?,
        0,
        "whoever has the answer finds no process"
    );
    let report = read(&output)?;
    assert_eq!(report["outcome"], "late");
    assert_eq!(states(&report), "hang late, quick passed");
    let reason = report["reason"].as_str().unwrap_or_default();
    assert!(
        reason.contains("hang not finished (passed: quick)"),
        "{reason}"
    );
    assert!(reason.contains("Run `bellwether gate run`"), "{reason}");
    nothing_left(&project)
}

#[test]
fn a_run_ends_with_whoever_waits_for_it() -> Result<()> {
    let nap = nap(2);
    let project = Project::trusted(&hanging(&nap, ""))?;
    let mut child = started(&project, &[])?;
    until_sleeping(&nap, 6)?;
    drop(child.stdin.take());
    let output = child.wait_with_output()?;
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    assert_eq!(sleepers(&nap)?, 0);
    nothing_left(&project)
}

#[test]
fn a_killed_run_leaves_no_process_and_no_folder() -> Result<()> {
    let nap = nap(3);
    let project = Project::trusted(&hanging(&nap, ""))?;
    let mut child = started(&project, &[])?;
    until_sleeping(&nap, 6)?;
    let folders = std::fs::read_dir(project.place().home().gate_trees())?.count();
    assert_eq!(folders, 1, "the tree is laid out");
    child.kill()?;
    child.wait()?;
    until_sleeping(&nap, 0)?;
    until_nothing_is_left(&project)?;
    until_no_guardian(&project)
}

#[test]
fn an_interrupted_run_leaves_nothing_either() -> Result<()> {
    let nap = nap(4);
    let project = Project::trusted(&hanging(&nap, ""))?;
    let mut child = started(&project, &[])?;
    until_sleeping(&nap, 6)?;
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT)?;
    child.wait()?;
    until_sleeping(&nap, 0)?;
    until_nothing_is_left(&project)
}

#[test]
fn what_a_run_and_its_guardian_left_is_cleared_away_by_the_next() -> Result<()> {
    let nap = nap(5);
    let project = Project::trusted(&hanging(&nap, ""))?;
    let mut child = started(&project, &[])?;
    until_sleeping(&nap, 6)?;
    let guardians = guardians(&project)?;
    assert_eq!(guardians.len(), 1);
    guardians.into_iter().for_each(process::kill);
    child.kill()?;
    child.wait()?;
    assert_eq!(sleepers(&nap)?, 6);
    project
        .place()
        .configure("gate: {enabled: true, steps: {quick: {run: 'true'}}}\n")?;
    assert_eq!(report(&project, &[])?["outcome"], "passed");
    until_sleeping(&nap, 0)?;
    nothing_left(&project)
}

#[test]
fn a_run_that_ends_well_leaves_no_guardian_and_no_daemon() -> Result<()> {
    let nap = nap(6);
    let config = format!(
        "gate: {{enabled: true, steps: {{daemon: {{run: 'setsid sleep {nap} & exit 0'}}}}}}\n"
    );
    let project = Project::trusted(&config)?;
    assert_eq!(report(&project, &[])?["outcome"], "passed");
    assert_eq!(sleepers(&nap)?, 0);
    nothing_left(&project)?;
    until_no_guardian(&project)
}

#[test]
fn a_second_run_of_the_same_tree_waits_for_the_first_and_has_its_result() -> Result<()> {
    let config = "gate: {enabled: true, steps: {slow: {run: 'echo run >> \"$HOME/runs\"; while ! [ -e \"$HOME/go\" ]; do sleep 0.05; done; echo wrong; exit 1'}}}\n";
    let project = Project::trusted(config)?;
    project.stage(&[("a.txt", "a\n")])?;
    let start = |words: &[&str]| {
        let words = [&["gate", "run", "--json"], words].concat();
        project.cli(words).stdout(Stdio::piped()).spawn()
    };
    let first = start(&[])?;
    let runs = || std::fs::read_to_string(project.home().join("runs")).unwrap_or_default();
    wait::until(PATIENCE, || Ok((!runs().is_empty()).then_some(())))?
        .context("it does not begin")?;
    let second = start(&[])?;
    let impatient = read(&start(&["--deadline-ms", "300"])?.wait_with_output()?)?;
    assert_eq!(impatient["outcome"], "late");
    let reason = impatient["reason"].as_str().unwrap_or_default();
    assert!(
        reason.contains("other checks of this repository are running"),
        "{reason}"
    );
    std::fs::write(project.home().join("go"), "")?;
    for child in [first, second] {
        let report = read(&child.wait_with_output()?)?;
        assert_eq!(
            (states(&report), lines(&report, "slow")),
            ("slow failed".to_owned(), "wrong".to_owned())
        );
    }
    assert_eq!(runs(), "run\n", "the second has run nothing");
    Ok(())
}

fn guardians(project: &Project) -> Result<Vec<rustix::process::Pid>> {
    let home = project.place().root().as_os_str();
    let all = process::with_words(&[OsStr::new("--home"), home])?;
    let guardian = process::with_words(&[OsStr::new("gate"), OsStr::new("guardian")])?;
    Ok(all
        .into_iter()
        .filter(|pid| guardian.contains(pid))
        .collect())
}

fn until_no_guardian(project: &Project) -> Result<()> {
    let gone = wait::until(PATIENCE, || {
        Ok(guardians(project)?.is_empty().then_some(()))
    })?;
    gone.context("a guardian stays")
}
