//! Looking at files that others made: nothing blocks, nothing is read without a bound.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

/// So much of a file of somebody's is read; such files have kilobytes.
pub(super) const LARGEST: u64 = 1 << 20;

/// Why a file was not read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// A folder, a pipe, a device.
    NotAFile,
    /// Larger than what is read here. The client has no such limit.
    TooLarge(u64),
    /// The system said no: why.
    Failed(String),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAFile => f.write_str("is not a regular file"),
            Self::TooLarge(bytes) => write!(
                f,
                "has {bytes} bytes; doctor reads only files of up to {} MiB",
                LARGEST >> 20
            ),
            Self::Failed(why) => write!(f, "cannot be read: {why}"),
        }
    }
}

/// The text of a file, through links and as the client decodes it; `None` when there is none.
pub(super) fn read_text(path: &Path) -> Result<Option<String>, Unread> {
    let failed = |error: io::Error| Unread::Failed(error.to_string());
    // Looked at before it is opened: opening some devices does something.
    let seen = match path.metadata() {
        Ok(seen) => seen,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    if !seen.is_file() {
        return Err(Unread::NotAFile);
    }
    if seen.len() > LARGEST {
        return Err(Unread::TooLarge(seen.len()));
    }
    let mut bytes = Vec::new();
    open_regular(rustix::fs::CWD, path, OFlags::empty())
        .and_then(|file| file.take(LARGEST).read_to_end(&mut bytes))
        .map_err(failed)?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

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

    #[test]
    fn what_cannot_be_read_says_why_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("text"), "a\u{1b}b").unwrap();
        std::os::unix::fs::symlink("text", path("link")).unwrap();
        std::os::unix::fs::symlink("loop", path("loop")).unwrap();
        std::os::unix::fs::symlink("gone", path("dangling")).unwrap();
        std::fs::write(path("bytes"), b"a\xffb").unwrap();
        File::create(path("sparse"))
            .unwrap()
            .set_len(1 << 30)
            .unwrap();
        let kind = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, path("pipe"), kind, Mode::RWXU, 0).unwrap();
        let began = std::time::Instant::now();
        assert_eq!(read_text(&path("text")), Ok(Some("a\u{1b}b".into())));
        assert_eq!(read_text(&path("link")), Ok(Some("a\u{1b}b".into())));
        assert_eq!(read_text(&path("bytes")), Ok(Some("a\u{fffd}b".into())));
        assert_eq!(read_text(&path("none")), Ok(None));
        assert_eq!(read_text(&path("text/below")), Ok(None));
        assert_eq!(read_text(&path("dangling")), Ok(None));
        assert_eq!(read_text(&path("pipe")), Err(Unread::NotAFile));
        assert_eq!(read_text(folder.path()), Err(Unread::NotAFile));
        assert_eq!(read_text(Path::new("/dev/zero")), Err(Unread::NotAFile));
        assert_eq!(read_text(&path("sparse")), Err(Unread::TooLarge(1 << 30)));
        let looped = read_text(&path("loop")).unwrap_err().to_string();
        assert!(looped.contains("symbolic links"), "{looped}");
        assert!(began.elapsed() < std::time::Duration::from_secs(5));
    }
}
