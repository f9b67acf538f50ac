//! A process and those that it runs in.

use bellwether_spine::ancestry::{Process, Processes, System};

use super::NotRaised;

/// No line of parents is longer, unless somebody made it so.
const LONGEST: usize = 64;

/// A process of this user, and its parents from the nearest to the farthest.
#[derive(Debug)]
pub(super) struct Line(Vec<Process>);

impl Line {
    pub(super) fn of(pid: u32) -> Result<Self, NotRaised> {
        let first = System.process(pid).ok_or(NotRaised::Gone)?;
        if first.user != rustix::process::getuid().as_raw() {
            return Err(NotRaised::Foreign);
        }
        let mut line = vec![first];
        while let Some(parent) = line.last().map(|process| process.parent)
            && line.len() < LONGEST
            && let Some(process) = System.process(parent)
        {
            line.push(process);
        }
        Ok(Self(line))
    }

    pub(super) fn has(&self, pid: u32) -> bool {
        self.0.iter().any(|process| process.pid == pid)
    }

    pub(super) fn pids(&self) -> impl Iterator<Item = u32> {
        self.0.iter().map(|process| process.pid)
    }

    /// Whether a program of one of these names is above it.
    pub(super) fn is_within(&self, names: &[&str]) -> bool {
        let mut above = self.0.iter().skip(1);
        above.any(|process| names.contains(&process.name.as_str()))
    }

    /// The device that is the terminal of the process.
    pub(super) fn terminal(&self) -> Option<u64> {
        let number = self.0.first()?.terminal.cast_unsigned();
        // The system packs it in its own way there: twelve bits of the minor number stand above the major one.
        let minor = (number & 0xff) | (number >> 12 & 0xf_ff00);
        (number != 0).then(|| rustix::fs::makedev(number >> 8 & 0xfff, minor))
    }

    /// A variable of the process itself.
    pub(super) fn variable(&self, name: &str) -> Option<String> {
        System.variable(self.0.first()?.pid, name)
    }
}
