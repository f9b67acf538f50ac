//! The running program as a file: whether it has been replaced, and becoming its successor.

use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

use bellwether_spine::Home;

use crate::Options;

/// The file that this process runs, as it was when the process began.
pub(crate) struct Program {
    path: PathBuf,
    seen: Option<(u64, u64, u64, i64)>,
}

/// What stands where the running program was started from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Now {
    Same,
    Replaced,
    Gone,
}

impl Program {
    pub(crate) fn running() -> Self {
        let path = std::env::current_exe().unwrap_or_default();
        Self {
            seen: identity(&path),
            path,
        }
    }

    /// What stands at the program's path now. A hook that merely says that it is newer is not
    /// believed: we would replace ourselves by ourselves for ever.
    pub(crate) fn now(&self) -> Now {
        match identity(&self.path) {
            None => Now::Gone,
            now if now == self.seen => Now::Same,
            _ => Now::Replaced,
        }
    }

    /// Becomes the program that stands there now; the lock is kept over it. Returns only on failure.
    pub(crate) fn become_successor(
        &self,
        home: &Home,
        lock: &OwnedFd,
        options: &Options,
    ) -> std::io::Error {
        self.become_again(home, lock.as_raw_fd(), options)
    }

    /// The same with the number of the lock, for one who does not hold it.
    #[expect(
        unsafe_code,
        reason = "whoever panics has only the number of the lock, which a copy would keep for ever"
    )]
    pub(crate) fn become_again(
        &self,
        home: &Home,
        lock: RawFd,
        options: &Options,
    ) -> std::io::Error {
        // SAFETY: the lock is open for as long as the daemon runs.
        let held = unsafe { BorrowedFd::borrow_raw(lock) };
        if let Err(error) = rustix::io::fcntl_setfd(held, rustix::io::FdFlags::empty()) {
            return error.into();
        }
        let mut command = Command::new(&self.path);
        command.args(["daemon", "run", "--lock-fd", &lock.to_string()]);
        if let Some(root) = home.root() {
            command.arg("--home").arg(root);
        }
        command.args(options.to_arguments()).exec()
    }
}

fn identity(path: &std::path::Path) -> Option<(u64, u64, u64, i64)> {
    let seen = path.metadata().ok()?;
    Some((
        seen.dev(),
        seen.ino(),
        seen.size(),
        seen.ctime_nsec().wrapping_add(seen.ctime()),
    ))
}

/// Whether a version is newer than ours.
pub(crate) fn is_newer(theirs: &str, ours: &str) -> bool {
    fn numbers(text: &str) -> Option<Vec<u64>> {
        text.trim()
            .split('.')
            .map(|part| part.parse().ok())
            .collect()
    }
    matches!((numbers(theirs), numbers(ours)), (Some(theirs), Some(ours)) if theirs > ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        assert!(is_newer("0.10.0", "0.9.9"));
        assert!(is_newer("1.0.0", "0.9.9"));
        assert!(!is_newer("0.9.9", "0.9.9"));
        assert!(!is_newer("0.9.8", "0.9.9"));
        assert!(!is_newer("rubbish", "0.9.9"));
        assert!(!is_newer("", "0.9.9"));
    }

    #[test]
    fn a_replaced_file_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        std::fs::write(&path, "old").unwrap();
        let program = Program {
            seen: identity(&path),
            path: path.clone(),
        };
        assert_eq!(program.now(), Now::Same);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(program.now(), Now::Gone);
        std::fs::write(&path, "newer").unwrap();
        assert_eq!(program.now(), Now::Replaced);
    }
}
