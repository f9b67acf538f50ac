//! Lets the big binary check a tree, and waits for what it says.
//!
//! Its input is a pipe that only we hold open: when we are gone, however that happens, it reads the end and puts an end to all that it
//! has started. So we never leave anybody behind, and a runner that does not come to an end by itself is killed.

use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use bellwether_spine::{Home, launch};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, getppid, kill_process_group};

use super::git::Stop;
use super::report::Report;

/// So much later than its deadline the runner has forgotten it.
const SLACK: Duration = Duration::from_secs(2);
/// How long a runner may take to clear up once nobody waits for it.
const CLEARING: Duration = Duration::from_secs(1);
/// How often it is looked whether the client still lives: one that was killed does not stop its hooks.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// A person who waits longer than this wants to know what for.
const LONG: Duration = Duration::from_secs(3);
/// A report is never so long.
const MOST: usize = 1024 * 1024;

/// What is checked.
pub(super) struct Subject<'a> {
    /// The work tree.
    pub root: &'a Path,
    /// The folder whose configuration counts.
    pub project: &'a Path,
    /// The tree's id.
    pub tree: &'a str,
}

/// Checks a tree, up to a moment. `lasts` is called once when it takes long.
pub(super) fn check(
    home: &Home,
    subject: &Subject<'_>,
    end: Instant,
    lasts: &mut dyn FnMut(),
) -> Result<Report, Stop> {
    let left = end.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Ok(Report::late());
    }
    let mut runner = start(home, subject, left)?;
    let said = listen(&mut runner, end + SLACK, lasts);
    put_down(&mut runner);
    match said {
        Ok(said) => serde_json::from_slice(&said).map_err(|error| {
            Stop::Failed(format!("the checks said nothing that can be read: {error}"))
        }),
        Err(Stop::Late) => Ok(Report::late()),
        Err(stop) => Err(stop),
    }
}

fn start(home: &Home, subject: &Subject<'_>, left: Duration) -> Result<Child, Stop> {
    let failed =
        |error: &dyn std::fmt::Display| Stop::Failed(format!("the checks did not start: {error}"));
    let mut command = Command::new(launch::program().map_err(|error| failed(&error))?);
    if let Some(own) = home.root() {
        command.arg("--home").arg(own);
    }
    command
        .args(["gate", "run", "--json", "--with-parent", "--tree"])
        .arg(subject.tree)
        .arg("--project")
        .arg(subject.project)
        .arg("--deadline-ms")
        .arg(left.as_millis().to_string())
        .current_dir(subject.root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0);
    command.spawn().map_err(|error| failed(&error))
}

/// All that the runner says, until it closes its output.
fn listen(runner: &mut Child, end: Instant, lasts: &mut dyn FnMut()) -> Result<Vec<u8>, Stop> {
    let client = getppid();
    let mut long_at = Some(Instant::now() + LONG);
    let Some(mut out) = runner.stdout.take() else {
        return Err(Stop::Failed("the checks have no output".to_owned()));
    };
    let mut said = Vec::new();
    loop {
        let now = Instant::now();
        if now >= end {
            return Err(Stop::Late);
        }
        if getppid() != client {
            return Err(Stop::Failed(
                "nobody waits for the checks any more".to_owned(),
            ));
        }
        if long_at.take_if(|at| now >= *at).is_some() {
            lasts();
        }
        let until = long_at.map_or(end, |at| at.min(end));
        let patience = LOOK_EVERY.min(until.saturating_duration_since(now));
        if is_ready(&out, patience)? && !more(&mut out, &mut said)? {
            return Ok(said);
        }
    }
}

fn is_ready(out: &ChildStdout, patience: Duration) -> Result<bool, Stop> {
    let failed = |error: &dyn std::fmt::Display| Stop::Failed(error.to_string());
    let patience = Timespec::try_from(patience).map_err(|error| failed(&error))?;
    match poll(&mut [PollFd::new(out, PollFlags::IN)], Some(&patience)) {
        Ok(ready) => Ok(ready > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(failed(&error)),
    }
}

/// Reads what is there; false at the end.
fn more(out: &mut ChildStdout, said: &mut Vec<u8>) -> Result<bool, Stop> {
    let mut buffer = [0; 8192];
    match out.read(&mut buffer) {
        Ok(0) => Ok(false),
        Ok(_) if said.len() > MOST => Err(Stop::Failed("the checks said too much".to_owned())),
        Ok(length) => {
            said.extend_from_slice(&buffer[..length]);
            Ok(true)
        }
        Err(error) if error.kind() == std::io::ErrorKind::Interrupted => Ok(true),
        Err(error) => Err(Stop::Failed(error.to_string())),
    }
}

/// Lets the runner come to its end, and ends it when it does not.
fn put_down(runner: &mut Child) {
    // The end of its input is the sign.
    drop(runner.stdin.take());
    let until = Instant::now() + CLEARING;
    while Instant::now() < until {
        if !matches!(runner.try_wait(), Ok(None)) {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    if let Some(group) = i32::try_from(runner.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = runner.kill();
    let _ = runner.wait();
}
