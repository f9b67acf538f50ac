//! Processes as the system shows them under `/proc`.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use rustix::process::{Pid, Signal, kill_process};

/// How often a process is looked at while it runs.
const GLANCE: Duration = Duration::from_millis(5);

/// The processes whose command line has the given words, one after another.
pub fn with_words(words: &[&OsStr]) -> Result<Vec<Pid>> {
    let listed = std::fs::read_dir("/proc").context("list /proc")?;
    let found = listed.filter_map(|entry| {
        let path = entry.ok()?.path();
        let pid = path.file_name()?.to_str()?.parse().ok()?;
        let line = std::fs::read(path.join("cmdline")).ok()?;
        has_words(&line, words).then(|| Pid::from_raw(pid))?
    });
    Ok(found.collect())
}

fn has_words(line: &[u8], words: &[&OsStr]) -> bool {
    let line: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
    line.windows(words.len())
        .any(|part| part.iter().zip(words).all(|(a, b)| *a == b.as_bytes()))
}

/// Kills a process at once. One that is gone already is no error.
pub fn kill(pid: Pid) {
    let _ = kill_process(pid, Signal::KILL);
}

/// Resident memory in kilobytes.
pub fn resident_kb(pid: Pid) -> Result<u64> {
    field(&folder(pid).join("status"), "VmRSS:")
}

/// Runs a command to its end, and says how much memory it had in use at the most, in kilobytes.
pub fn peak_kb(command: &mut Command) -> Result<u64> {
    let mut child = command.spawn()?;
    let pid = Pid::from_child(&child);
    let mut peak = 0;
    while child.try_wait()?.is_none() {
        peak = peak.max(field(&folder(pid).join("status"), "VmHWM:").unwrap_or(0));
        std::thread::sleep(GLANCE);
    }
    let status = child.wait()?;
    ensure!(status.success(), "it ended with {status}");
    Ok(peak)
}

/// How often the threads of a process have gone to sleep of their own will.
pub fn sleeps(pid: Pid) -> Result<u64> {
    let tasks = std::fs::read_dir(folder(pid).join("task")).context("list threads")?;
    tasks
        .map(|task| field(&task?.path().join("status"), "voluntary_ctxt_switches:"))
        .sum()
}

/// The same of the thread that asks.
pub fn sleeps_of_this_thread() -> Result<u64> {
    let status = Path::new("/proc/thread-self/status");
    field(status, "voluntary_ctxt_switches:")
}

fn folder(pid: Pid) -> PathBuf {
    Path::new("/proc").join(pid.as_raw_nonzero().to_string())
}

fn field(path: &Path, name: &str) -> Result<u64> {
    let text = std::fs::read_to_string(path).with_context(|| format!("read {}", path.display()))?;
    text.lines()
        .find_map(|line| {
            line.strip_prefix(name)?
                .split_whitespace()
                .next()?
                .parse()
                .ok()
        })
        .with_context(|| format!("{} has no {name}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_a_command_line() {
        let line = b"/bin/bellwether\0daemon\0run\0--home\0/h\0";
        let has = |line: &[u8], words: &[&str; 2]| has_words(line, &words.map(OsStr::new));
        assert!(has(line, &["--home", "/h"]));
        assert!(has(line, &["daemon", "run"]));
        assert!(!has(line, &["--home", "/"]));
        assert!(!has(b"", &["--home", "/h"]));
    }

    #[test]
    fn this_process_can_be_looked_at() {
        let pid = rustix::process::getpid();
        assert!(resident_kb(pid).unwrap() > 100);
        sleeps(pid).unwrap();
    }
}
