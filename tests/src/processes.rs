//! The processes of one HOME, found by their environment and ended by their id.
//!
//! A hook may leave a daemon behind in a session of its own, which no process group or parent link leads to; but
//! whatever the client starts, directly or not, inherits the rig's HOME, and no other process has it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::wait;

const PATIENCE: Duration = Duration::from_secs(5);

/// The processes that run with this HOME, the caller itself left out.
pub fn of_home(home: &Path) -> Vec<Pid> {
    let own = rustix::process::getpid();
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| Pid::from_raw(entry.ok()?.file_name().to_str()?.parse().ok()?))
        .filter(|pid| *pid != own && has_home(*pid, home))
        .collect()
}

/// Whether the process runs with this HOME; never true for one that has ended.
pub fn has_home(pid: Pid, home: &Path) -> bool {
    let wanted = format!("HOME={}", home.display());
    fs::read(format!("/proc/{pid}/environ")).is_ok_and(|environ| {
        environ
            .split(|byte| *byte == 0)
            .any(|var| var == wanted.as_bytes())
    })
}

/// Kills the processes of this HOME until none is left.
pub fn end_all(home: &Path) {
    end(|| of_home(home));
}

/// Kills these processes of this HOME until none is left.
pub(crate) fn end_these(pids: &[Pid], home: &Path) {
    let with_home = |pid: &Pid| has_home(*pid, home);
    end(|| pids.iter().copied().filter(with_home).collect());
}

fn end(find: impl Fn() -> Vec<Pid>) {
    let _gone = wait::until(PATIENCE, || {
        let left = find();
        for pid in &left {
            // It may have ended by itself since it was found.
            let _ = kill_process(*pid, Signal::KILL);
        }
        Ok(left.is_empty().then_some(()))
    });
}
