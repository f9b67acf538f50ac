//! A program that ends with what holds it.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context as _, Result};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};

use crate::env::SYSTEM_PATH;

/// Whoever is asked to end has this long.
const GRACE: Timespec = Timespec {
    tv_sec: 5,
    tv_nsec: 0,
};

#[derive(Debug)]
pub struct Running(Child);

impl Running {
    pub(crate) fn start(command: &mut Command) -> Result<Self> {
        let child = command.spawn().with_context(|| format!("{command:?}"))?;
        Ok(Self(child))
    }

    /// Starts it, and returns the first line that it prints.
    pub(crate) fn start_and_hear(command: &mut Command) -> Result<(Self, String)> {
        let mut running = Self::start(command.stdout(Stdio::piped()))?;
        let stdout = running.0.stdout.take().context("no stdout")?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        Ok((running, line.trim().to_owned()))
    }

    pub fn pid(&self) -> u32 {
        self.0.id()
    }

    /// What it reads, where the command said that this is piped.
    pub fn stdin(&mut self) -> Option<ChildStdin> {
        self.0.stdin.take()
    }

    /// What it prints, where the command said that this is piped.
    pub fn stdout(&mut self) -> Option<ChildStdout> {
        self.0.stdout.take()
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&mut self) -> Result<bool> {
        Ok(self.0.try_wait()?.is_some())
    }

    /// Ends it at once, as a crash would.
    pub fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    /// Asks it to end and waits for that; not for ever.
    fn end(&self) -> Result<()> {
        let pid = Pid::from_child(&self.0);
        let handle = pidfd_open(pid, PidfdFlags::empty())?;
        kill_process(pid, Signal::TERM)?;
        poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&GRACE))?;
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(None)) {
            let _ = self.end();
        }
        self.kill();
    }
}

/// A command with no variable but PATH, ended by the kernel when the thread that starts it does.
pub(crate) fn command(program: &OsStr) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "TERM", "--"]).arg(program);
    command.env_clear().env("PATH", SYSTEM_PATH);
    command
}
