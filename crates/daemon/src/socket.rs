//! The daemon's sockets: bound under the lock, so that a file in the way is a dead daemon's.

use std::io;
use std::path::PathBuf;

use bellwether_spine::Home;
use tokio::net::{UnixDatagram, UnixListener};

use crate::DaemonError;

/// The sockets of a running daemon; their files go when it does.
pub(crate) struct Sockets {
    pub wake: UnixDatagram,
    pub control: UnixListener,
    paths: [PathBuf; 2],
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
        Ok(Self {
            wake,
            control,
            paths,
        })
    }

    /// Whether somebody has removed the files: a cleaner of temporary folders may.
    pub(crate) fn are_gone(&self) -> bool {
        self.paths.iter().any(|path| !path.exists())
    }
}

impl Drop for Sockets {
    fn drop(&mut self) {
        for path in &self.paths {
            let _ = remove(path);
        }
    }
}

fn remove(path: &PathBuf) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
