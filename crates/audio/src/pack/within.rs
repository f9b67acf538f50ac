//! Opens a file of a folder step by step, so that no link leads out of it.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;

/// Opens a file below a folder. The folder itself may be a link: the person named it.
pub(super) fn open(folder: &Path, file: &str) -> Result<File, String> {
    let known = OFlags::CLOEXEC | OFlags::RDONLY | OFlags::NONBLOCK;
    let top = openat(CWD, folder, known | OFlags::DIRECTORY, Mode::empty());
    let mut at: OwnedFd = top.map_err(|error| said(error, "its folder"))?;
    let mut parts = file.split('/').peekable();
    while let Some(part) = parts.next() {
        let kind = match parts.peek() {
            Some(_) => OFlags::DIRECTORY,
            None => OFlags::empty(),
        };
        let flags = known | kind | OFlags::NOFOLLOW;
        at = openat(&at, part, flags, Mode::empty()).map_err(|error| said(error, part))?;
    }
    Ok(File::from(at))
}

fn said(error: Errno, part: &str) -> String {
    match error {
        Errno::NOENT => format!("{part} is not there"),
        // A folder that is a link is none to the system.
        Errno::LOOP | Errno::NOTDIR => format!("{part} is a link or no folder"),
        error => format!("{part}: {error}"),
    }
}
