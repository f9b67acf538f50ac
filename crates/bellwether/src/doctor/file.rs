//! Looking at files that others made: nothing blocks, nothing is read without a bound.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

/// The program of that name on `PATH`.
pub(super) fn on_path(name: impl AsRef<OsStr>) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name.as_ref()))
        .find(|program| runnable(program).is_ok())
}

/// Whether a file can be started, or why not.
pub(crate) fn runnable(path: &Path) -> Result<(), &'static str> {
    let seen = path.metadata().map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied => "cannot be reached",
        _ => "does not exist",
    })?;
    if !seen.is_file() {
        return Err("is no file");
    }
    if seen.permissions().mode() & 0o111 == 0 {
        return Err("is not executable");
    }
    Ok(())
}

/// Opens a regular file below an open folder, without waiting for a pipe's other end.
pub(super) fn open_regular(folder: impl AsFd, name: &Path, flags: OFlags) -> io::Result<File> {
    let flags = flags | OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let file = File::from(rustix::fs::openat(folder, name, flags, Mode::empty())?);
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        ));
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_started_and_what_not() {
        let folder = tempfile::tempdir().unwrap();
        let plain = folder.path().join("plain");
        std::fs::write(&plain, "").unwrap();
        assert_eq!(runnable(Path::new("/bin/sh")), Ok(()));
        assert_eq!(runnable(folder.path()), Err("is no file"));
        assert_eq!(runnable(&plain), Err("is not executable"));
        assert_eq!(runnable(&folder.path().join("none")), Err("does not exist"));
    }

    #[test]
    fn a_pipe_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let kind = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, kind, Mode::RWXU, 0).unwrap();
        assert!(open_regular(rustix::fs::CWD, &pipe, OFlags::empty()).is_err());
    }
}
