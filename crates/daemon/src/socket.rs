//! The daemon's sockets: bound under the lock, so that a file in the way is a dead daemon's.

use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use bellwether_spine::Home;
use tokio::net::{UnixDatagram, UnixListener};

use crate::DaemonError;

/// The sockets of a running daemon; their files go when it does.
pub(crate) struct Sockets {
    pub wake: UnixDatagram,
    pub control: UnixListener,
    files: Vec<(PathBuf, u64)>,
}

impl Sockets {
    pub(crate) fn bind(home: &Home) -> Result<Self, DaemonError> {
        let paths = [home.wake_socket(), home.control_socket()];
        for path in &paths {
            remove(path).map_err(DaemonError::system("remove a dead daemon's socket"))?;
        }
        let wake = UnixDatagram::bind(&paths[0])
            .map_err(DaemonError::system("bind the wake-up socket"))?;
        let control = UnixListener::bind(&paths[1])
            .map_err(DaemonError::system("bind the control socket"))?;
        let files = paths
            .into_iter()
            .filter_map(|path| Some((inode(&path)?, path)));
        Ok(Self {
            wake,
            control,
            files: files.map(|(inode, path)| (path, inode)).collect(),
        })
    }

    /// Whether somebody has removed the files: a cleaner of temporary folders may.
    pub(crate) fn are_gone(&self) -> bool {
        self.files
            .iter()
            .any(|(path, ours)| inode(path) != Some(*ours))
    }
}

impl Drop for Sockets {
    fn drop(&mut self) {
        // Files that are no longer ours belong to another daemon.
        for (path, _) in self
            .files
            .iter()
            .filter(|(path, ours)| inode(path) == Some(*ours))
        {
            let _ = remove(path);
        }
    }
}

fn inode(path: &Path) -> Option<u64> {
    Some(std::fs::symlink_metadata(path).ok()?.ino())
}

fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
