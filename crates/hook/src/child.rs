//! A child process with an end: it is fed and read while it runs, never longer than it may, and never more than is needed.
//! It leads a group of its own, and none of that group is left when it has ended.

use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid,
};

/// How often the end is looked for: at first it is near.
const FIRST_LOOK: Duration = Duration::from_micros(200);
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// The most that is kept of what it complains about.
const COMPLAINT: usize = 64 * 1024;

/// How far a child may go.
#[derive(Clone, Copy)]
pub(crate) struct Limits<'a> {
    pub(crate) end: Instant,
    /// The most that is read of what it says; what says more is cut short.
    pub(crate) most: usize,
    /// Whether to stop before the end.
    pub(crate) called_off: &'a dyn Fn() -> bool,
}

impl Limits<'_> {
    fn check(&self) -> Result<(), Cut> {
        if Instant::now() >= self.end {
            return Err(Cut::Late);
        }
        if (self.called_off)() {
            return Err(Cut::CalledOff);
        }
        Ok(())
    }
}

/// What a child that ended by itself, or had too much to say, has said.
#[derive(Debug, Clone, Default)]
pub(crate) struct ChildOutput {
    /// Its exit code; nothing when it was cut short.
    pub(crate) code: Option<i32>,
    pub(crate) out: Vec<u8>,
    pub(crate) complaint: String,
    /// It had more to say.
    pub(crate) cut: bool,
}

/// Why a child did not come to its own end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cut {
    NotStarted(String),
    Late,
    CalledOff,
    /// By a signal that was not ours.
    Killed,
    /// The system said no.
    Failed(String),
}

impl From<rustix::io::Errno> for Cut {
    fn from(error: rustix::io::Errno) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Runs a command until it is done, has said enough, or must end. What it says is read where its output is not given to
/// something else. What it reads when it is told nothing is for the caller to say.
pub(crate) fn run(
    command: &mut Command,
    input: &[u8],
    limits: Limits<'_>,
) -> Result<ChildOutput, Cut> {
    if !input.is_empty() {
        command.stdin(Stdio::piped());
    }
    let mut child = command
        .process_group(0)
        .spawn()
        .map_err(|error| Cut::NotStarted(error.to_string()))?;
    let said = talk(&mut child, input, limits).and_then(|said| finish(&child, said, limits));
    put_down(&mut child);
    said
}

/// What is still to be written to a child. It is closed at the end, so that the child knows.
struct Feed<'a> {
    pipe: Option<ChildStdin>,
    rest: &'a [u8],
}

impl Feed<'_> {
    /// Writes what fits now.
    fn write(&mut self) {
        let Some(pipe) = &mut self.pipe else { return };
        match pipe.write(self.rest) {
            Ok(written) => self.rest = &self.rest[written..],
            Err(error)
                if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
            // It does not want to know more.
            Err(_) => self.rest = &[],
        }
        if self.rest.is_empty() {
            self.pipe = None;
        }
    }
}

fn talk(child: &mut Child, input: &[u8], limits: Limits<'_>) -> Result<ChildOutput, Cut> {
    let mut feed = Feed {
        pipe: child.stdin.take(),
        rest: input,
    };
    if let Some(pipe) = &feed.pipe {
        rustix::io::ioctl_fionbio(pipe, true)?;
    }
    let (mut out, mut complaint) = (child.stdout.take(), child.stderr.take());
    let (mut said, mut complained) = (ChildOutput::default(), Vec::new());
    while out.is_some() || complaint.is_some() || feed.pipe.is_some() {
        limits.check()?;
        let pipes = [
            feed.pipe
                .as_ref()
                .map(|pipe| (pipe.as_fd(), PollFlags::OUT)),
            out.as_ref().map(|pipe| (pipe.as_fd(), PollFlags::IN)),
            complaint.as_ref().map(|pipe| (pipe.as_fd(), PollFlags::IN)),
        ];
        let ready @ [writable, readable, complains] = wait(pipes, limits)?;
        // Who was started by it may hold a pipe for ever, and has nothing to say for it.
        if ready == [false; 3] && look(child)?.is_some() {
            break;
        }
        if writable {
            feed.write();
        }
        if readable {
            take(&mut out, &mut said.out);
        }
        if complains {
            take(&mut complaint, &mut complained);
        }
        complained.truncate(COMPLAINT);
        if said.out.len() >= limits.most {
            said.cut = true;
            break;
        }
    }
    said.complaint = String::from_utf8_lossy(&complained).into_owned();
    Ok(said)
}

/// Reads what is there; a pipe that has ended is gone.
fn take(from: &mut Option<impl Read>, into: &mut Vec<u8>) {
    let mut buffer = [0; 8192];
    match from.as_mut().map(|pipe| pipe.read(&mut buffer)) {
        Some(Ok(length)) if length > 0 => into.extend_from_slice(&buffer[..length]),
        Some(Err(error)) if error.kind() == ErrorKind::Interrupted => {}
        _ => *from = None,
    }
}

/// Waits until one of the pipes is ready or at its end, or it is time to look at the clock.
fn wait(
    pipes: [Option<(BorrowedFd<'_>, PollFlags)>; 3],
    limits: Limits<'_>,
) -> Result<[bool; 3], Cut> {
    const LOOK_UP: Duration = Duration::from_millis(50);
    let left = limits.end.saturating_duration_since(Instant::now());
    let timeout =
        Timespec::try_from(left.min(LOOK_UP)).map_err(|error| Cut::Failed(error.to_string()))?;
    let open = pipes.iter().flatten();
    let mut polled: Vec<PollFd<'_>> = open
        .map(|(pipe, flags)| PollFd::from_borrowed_fd(*pipe, *flags))
        .collect();
    match poll(&mut polled, Some(&timeout)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    let mut events = polled.iter().map(|pipe| !pipe.revents().is_empty());
    Ok(pipes.map(|pipe| pipe.is_some() && events.next().unwrap_or(false)))
}

/// Waits for the child itself, which has said all it had to say. It stays what it is until its group is gone: its number is
/// given to nobody else before.
fn finish(child: &Child, mut said: ChildOutput, limits: Limits<'_>) -> Result<ChildOutput, Cut> {
    if said.cut {
        return Ok(said);
    }
    let mut pause = FIRST_LOOK;
    loop {
        if let Some(status) = look(child)? {
            let code = status.exit_status().ok_or(Cut::Killed)?;
            said.code = Some(code);
            return Ok(said);
        }
        limits.check()?;
        std::thread::sleep(pause);
        pause = (pause * 2).min(LOOK_EVERY);
    }
}

fn look(child: &Child) -> Result<Option<WaitIdStatus>, Cut> {
    let Some(pid) = pid(child) else {
        return Err(Cut::Killed);
    };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    Ok(waitid(WaitId::Pid(pid), options)?)
}

fn pid(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

/// Ends what is left of the child and of what it has started.
fn put_down(child: &mut Child) {
    if let Some(group) = pid(child) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(line: &str, input: &[u8], patience: Duration) -> Result<ChildOutput, Cut> {
        let mut command = Command::new("sh");
        command.args(["-c", line]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        run(
            &mut command,
            input,
            Limits {
                end: Instant::now() + patience,
                most: 1 << 20,
                called_off: &|| false,
            },
        )
    }

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn it_is_fed_and_read_at_once() {
        let input = vec![b'x'; 700_000];
        let said = sh("cat; echo oops >&2; exit 3", &input, LONG).unwrap();
        assert_eq!((said.code, said.out.len()), (Some(3), input.len()));
        assert_eq!(said.complaint, "oops\n");
        let deaf = sh("exec <&-; echo done", &input, LONG).unwrap();
        assert_eq!(deaf.out, b"done\n");
        assert!(sh("cat /dev/zero", b"", LONG).unwrap().cut);
    }

    #[test]
    fn nothing_of_it_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let alive = folder.path().join("alive");
        let line = format!(
            "(sleep 30 >/dev/null 2>&1; touch {0}) & (sleep 1 >/dev/null 2>&1; touch {0}) & exit 0",
            alive.display()
        );
        let begun = Instant::now();
        assert_eq!(sh(&line, b"", LONG).unwrap().code, Some(0));
        assert_eq!(
            sh("sleep 30 & sleep 30", b"", Duration::from_millis(50)).unwrap_err(),
            Cut::Late
        );
        assert_eq!(sh("kill -9 $$", b"", LONG).unwrap_err(), Cut::Killed);
        assert!(begun.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(1500));
        assert!(!alive.exists(), "its children ended with it");
    }

    #[test]
    fn it_can_be_called_off() {
        let limits = Limits {
            end: Instant::now() + LONG,
            most: 1,
            called_off: &|| true,
        };
        let mut command = Command::new("sleep");
        let cut = run(command.arg("30"), b"", limits).unwrap_err();
        assert_eq!(cut, Cut::CalledOff);
        let gone = run(&mut Command::new("/nowhere/at/all"), b"", limits);
        assert!(matches!(gone, Err(Cut::NotStarted(_))));
    }
}
