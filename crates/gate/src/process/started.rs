//! One process in a session of its own, so that no terminal is there to ask at and everything in it can be ended together.

#![expect(
    unsafe_code,
    reason = "a new session is begun between fork and exec, where only async-signal-safe calls are made"
)]

use std::fs::File;
use std::io::{self, PipeReader, Read as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group, setsid};

use super::{Capture, Limits};

/// How often it is looked whether a process has ended that says nothing.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How much is read of one process before the others get their turn.
const PORTION: usize = 1 << 20;

/// Where the two streams of a process go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Streams {
    /// Into one, in the order in which they were written.
    Joined,
    Apart,
}

/// A process that runs, or has ended and was not asked yet.
#[derive(Debug)]
pub(crate) struct Started {
    child: Child,
    streams: Vec<Stream>,
}

#[derive(Debug)]
struct Stream {
    from: File,
    kept: Capture,
    open: bool,
}

impl Started {
    pub(crate) fn start(
        command: &mut Command,
        streams: Streams,
        capture: &Capture,
    ) -> io::Result<Self> {
        let (out, into) = io::pipe()?;
        let mut readers = vec![out];
        let complaints = match streams {
            Streams::Joined => into.try_clone()?,
            Streams::Apart => {
                let (complaints, into) = io::pipe()?;
                readers.push(complaints);
                into
            }
        };
        command.stdin(Stdio::null()).stdout(into).stderr(complaints);
        // SAFETY: it is one system call and allocates nothing.
        let child = unsafe { command.pre_exec(|| Ok(setsid().map(|_| ())?)) }.spawn();
        // The command still holds the pipes' other ends.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let streams = readers.into_iter().map(|from| Stream::new(from, capture));
        Ok(Self {
            streams: streams.collect::<io::Result<_>>()?,
            child: child?,
        })
    }

    /// Takes what it has said, and says how it ended if it has. What it started in the background may hold its streams
    /// open for ever; that is not waited for.
    pub(crate) fn look(&mut self) -> io::Result<Option<ExitStatus>> {
        let ended = self.child.try_wait()?;
        for stream in self.streams.iter_mut().filter(|stream| stream.open) {
            stream.read();
        }
        if ended.is_some() {
            self.end();
        }
        Ok(ended)
    }

    /// What its streams said, in their order.
    pub(crate) fn said(&self) -> impl Iterator<Item = &Capture> {
        self.streams.iter().map(|stream| &stream.kept)
    }

    pub(crate) fn into_said(self) -> impl Iterator<Item = Capture> {
        self.streams.into_iter().map(|stream| stream.kept)
    }

    /// Ends it and its group. The group has its number for as long as anybody is in it, so nobody else is hit.
    pub(crate) fn end(&mut self) {
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            // All of them may have ended.
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

impl Stream {
    fn new(from: PipeReader, capture: &Capture) -> io::Result<Self> {
        let from = File::from(OwnedFd::from(from));
        rustix::io::ioctl_fionbio(&from, true)?;
        Ok(Self {
            from,
            kept: capture.clone(),
            open: true,
        })
    }

    fn read(&mut self) {
        let (mut buffer, mut taken) = ([0; 16 * 1024], 0);
        while taken < PORTION {
            match self.from.read(&mut buffer) {
                Ok(0) => {
                    self.open = false;
                    return;
                }
                Ok(length) => {
                    self.kept.take(&buffer[..length]);
                    taken += length;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.open = error.kind() == io::ErrorKind::WouldBlock;
                    return;
                }
            }
        }
    }
}

/// Waits until one of them has said something or may have ended, or until it is time to look at the limits.
pub(crate) fn wait<'a>(processes: impl IntoIterator<Item = &'a Started>, limits: &Limits) {
    let streams = processes
        .into_iter()
        .flat_map(|process| process.streams.iter())
        .filter(|stream| stream.open)
        .map(|stream| &stream.from);
    let mut polled: Vec<PollFd<'_>> = streams
        .chain(limits.parent())
        .map(|file| PollFd::from_borrowed_fd(file.as_fd(), PollFlags::IN))
        .collect();
    let timeout = Timespec::try_from(limits.patience(LOOK_EVERY)).ok();
    // Whatever this says, everything is looked at anyway.
    let _ = poll(&mut polled, timeout.as_ref());
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    fn ended(script: &str) -> (Option<i32>, String) {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let joined = Streams::Joined;
        let mut process = Started::start(&mut command, joined, &Capture::of_step()).unwrap();
        let limits = Limits::new(Some(Instant::now() + Duration::from_secs(20)), None);
        loop {
            if let Some(status) = process.look().unwrap() {
                let said = process.into_said().next().unwrap();
                return (status.code(), said.text());
            }
            assert_eq!(limits.stop(), None, "it does not end");
            wait([&process], &limits);
        }
    }

    #[test]
    fn both_streams_come_in_order_with_the_exit_code() {
        let (code, said) = ended("echo a; echo b >&2; echo c; exit 3");
        assert_eq!((code, said.as_str()), (Some(3), "a\nb\nc\n"));
    }

    #[test]
    fn what_stays_in_the_background_is_ended_and_not_waited_for() {
        let begun = Instant::now();
        let (code, said) = ended("sleep 60 & echo $!");
        assert_eq!(code, Some(0));
        assert!(begun.elapsed() < Duration::from_secs(10));
        let stat = format!("/proc/{}/stat", said.trim());
        let runs = || std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "));
        while runs() {
            assert!(begun.elapsed() < Duration::from_secs(10), "it still runs");
            std::thread::sleep(LOOK_EVERY);
        }
    }

    #[test]
    fn there_is_no_terminal_and_nothing_to_read() {
        let (code, said) = ended("cat; (true < /dev/tty) 2>/dev/null && echo terminal; exit 0");
        assert_eq!((code, said.as_str()), (Some(0), ""));
    }
}
