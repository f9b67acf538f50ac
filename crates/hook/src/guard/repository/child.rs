//! A child process with an end: it is read while it runs, never longer than it may, and never more
//! than is needed.

use std::io::Read;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};

/// The most that is read of what a child says: enough for a thousand names.
const MOST: usize = 64 * 1024;

#[derive(Debug, Clone, Default)]
pub(super) struct GitOutput {
    /// Its exit code; nothing when it was cut short.
    pub(super) code: Option<i32>,
    pub(super) out: Vec<u8>,
    pub(super) complaint: String,
    /// It had more to say.
    pub(super) cut: bool,
}

/// Runs a command until it is done, has said enough, or must end.
pub(super) fn run(command: &mut Command, end: Instant) -> Result<GitOutput, String> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(|error| format!("git did not start: {error}"))?;
    let said = listen(&mut child, end).and_then(|said| finish(&mut child, said, end));
    if !matches!(&said, Ok(said) if said.code.is_some()) {
        put_down(&mut child);
    }
    said
}

fn listen(child: &mut Child, end: Instant) -> Result<GitOutput, String> {
    let (Some(mut out), Some(mut complaint)) = (child.stdout.take(), child.stderr.take()) else {
        return Err("git has no output".to_owned());
    };
    let mut open = [true, true];
    let mut said = GitOutput::default();
    let mut complained = Vec::new();
    while open != [false, false] {
        let ready = wait(
            [
                open[0].then(|| out.as_fd()),
                open[1].then(|| complaint.as_fd()),
            ],
            end,
        )?;
        if ready[0] && take(&mut out, &mut said.out) {
            open[0] = false;
        }
        if ready[1] && take(&mut complaint, &mut complained) {
            open[1] = false;
        }
        complained.truncate(MOST);
        if said.out.len() >= MOST {
            said.cut = true;
            break;
        }
    }
    said.complaint = String::from_utf8_lossy(&complained).into_owned();
    Ok(said)
}

/// Reads what is there; true at the end.
fn take(from: &mut impl Read, into: &mut Vec<u8>) -> bool {
    let mut buffer = [0; 8192];
    match from.read(&mut buffer) {
        Ok(0) => true,
        Ok(length) => {
            into.extend_from_slice(&buffer[..length]);
            false
        }
        Err(error) => error.kind() != std::io::ErrorKind::Interrupted,
    }
}

/// Waits until one of the pipes has something, or its end.
fn wait(pipes: [Option<BorrowedFd<'_>>; 2], end: Instant) -> Result<[bool; 2], String> {
    let left = end.saturating_duration_since(Instant::now());
    let timeout = Timespec::try_from(left).map_err(|error| error.to_string())?;
    let mut polled: Vec<PollFd<'_>> = pipes
        .iter()
        .flatten()
        .map(|pipe| PollFd::from_borrowed_fd(*pipe, PollFlags::IN))
        .collect();
    match poll(&mut polled, Some(&timeout)) {
        Ok(0) => return Err(late()),
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(error.to_string()),
    }
    let mut events = polled.iter().map(|pipe| !pipe.revents().is_empty());
    Ok(pipes.map(|pipe| pipe.is_some() && events.next().unwrap_or(false)))
}

/// Waits for the child itself, which has said all it had to say.
fn finish(child: &mut Child, mut said: GitOutput, end: Instant) -> Result<GitOutput, String> {
    if said.cut {
        return Ok(said);
    }
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            said.code = Some(status.code().ok_or("git was killed")?);
            return Ok(said);
        }
        if Instant::now() >= end {
            return Err(late());
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

fn late() -> String {
    "git took too long".to_owned()
}

/// Ends the child and what it has started.
fn put_down(child: &mut Child) {
    if let Ok(None) = child.try_wait() {
        if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}
