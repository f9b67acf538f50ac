//! Ends what has left its group: a daemon that a check has started, a child in a session of its own.
//!
//! While a run goes on, orphans become children of the runner (`adopt`). When the runner itself was killed, its processes
//! are known by a variable. Where there is no `/proc`, groups alone are ended.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process};

use super::MARK;

/// How long processes are given to end that were killed.
const PATIENCE: Duration = Duration::from_secs(5);
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// From now on orphans of our processes become our children.
pub(crate) fn adopt() {
    #[cfg(target_os = "linux")]
    {
        // Where it cannot be had, groups and the variable remain.
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    }
}

/// Ends every child of this process, and their children, which become ours one after another. For a process that has no
/// other children than those of its run.
pub(crate) fn end_children() {
    let own = rustix::process::getpid();
    let until = Instant::now() + PATIENCE;
    loop {
        let children = all().filter(|process| process.parent == own.as_raw_nonzero().get());
        let children: Vec<Listed> = children.collect();
        children.iter().for_each(Listed::kill);
        while let Ok(Some(_)) = rustix::process::wait(WaitOptions::NOHANG) {}
        if children.is_empty() || Instant::now() >= until {
            return;
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// Ends every process of a run that has died, and whoever shares a session with one.
pub(crate) fn end_marked(run: &str) {
    let mark = format!("{MARK}={run}");
    let until = Instant::now() + PATIENCE;
    loop {
        let marked = marked(&mark);
        marked.iter().for_each(Listed::kill);
        if marked.is_empty() || Instant::now() >= until {
            return;
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// Who carries the mark, whoever is in a session that one of them leads, and whoever any of these has started.
fn marked(mark: &str) -> Vec<Listed> {
    let (mut found, mut others): (Vec<Listed>, Vec<Listed>) = all().partition(|one| one.has(mark));
    loop {
        // Sessions of a run are led by its own processes; one that leads no session is in somebody else's.
        let pids: BTreeSet<i32> = found.iter().map(|one| one.pid).collect();
        let belongs = |one: &Listed| pids.contains(&one.session) || pids.contains(&one.parent);
        let (more, rest): (Vec<Listed>, Vec<Listed>) = others.into_iter().partition(belongs);
        if more.is_empty() {
            return found;
        }
        found.extend(more);
        others = rest;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Listed {
    pid: i32,
    parent: i32,
    session: i32,
}

impl Listed {
    /// From `/proc/PID/stat`; nothing for one that has ended and was not asked yet.
    fn parse(stat: &str) -> Option<Self> {
        // The name stands in parentheses and may hold anything.
        let (pid, rest) = stat.split_once(" (")?;
        let mut fields = rest.rsplit_once(") ")?.1.split(' ');
        (fields.next()? != "Z").then_some(())?;
        let parent = fields.next()?.parse().ok()?;
        let session = fields.nth(1)?.parse().ok()?;
        Some(Self {
            pid: pid.parse().ok()?,
            parent,
            session,
        })
    }

    fn has(&self, mark: &str) -> bool {
        let environment = std::fs::read(format!("/proc/{}/environ", self.pid));
        let environment = environment.unwrap_or_default();
        let mut variables = environment.split(|byte| *byte == 0);
        variables.any(|variable| variable == mark.as_bytes())
    }

    fn kill(&self) {
        if let Some(pid) = Pid::from_raw(self.pid) {
            // It may have ended by itself.
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

fn all() -> impl Iterator<Item = Listed> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let name = entry.file_name();
        name.to_str()?.parse::<i32>().ok()?;
        Listed::parse(&std::fs::read_to_string(entry.path().join("stat")).ok()?)
    })
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_process_is_read_whatever_its_name_is() {
        let listed = Listed::parse("42 (a) R 1 (b) S 7 41 40 34816 0 0").unwrap();
        let expected = Listed {
            pid: 42,
            parent: 7,
            session: 40,
        };
        assert_eq!(listed, expected);
        assert_eq!(Listed::parse("42 (a) Z 7 41 40 0"), None);
        assert_eq!(Listed::parse("nothing"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn processes_of_a_run_are_found_in_any_session() {
        let run = format!("test-{}", std::process::id());
        let mut child = Command::new("setsid")
            .args([
                "sh",
                "-c",
                "env -i sleep 60 & setsid sleep 60 & env -i setsid sleep 60 & wait",
            ])
            .env(MARK, &run)
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let mark = format!("{MARK}={run}");
        let until = Instant::now() + Duration::from_secs(10);
        while marked(&mark).len() < 4 && Instant::now() < until {
            std::thread::sleep(LOOK_EVERY);
        }
        assert_eq!(marked(&mark).len(), 4);
        end_marked(&run);
        assert_eq!(marked(&mark), []);
        child.wait().unwrap();
    }
}
