//! Locks: the one that makes one daemon a home, and the one of whoever is heard. Each belongs to an open file, so it survives `fork` and `exec` and is gone the
//! moment its last holder dies, however it dies.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::{Home, SpineError};

/// Takes the daemon's lock; `None` when a daemon runs or is being started.
pub fn try_take(home: &Home) -> Result<Option<OwnedFd>, SpineError> {
    let path = home.lock();
    let file = open(&path)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file.into())),
        Err(Errno::WOULDBLOCK) => Ok(None),
        Err(source) => Err(SpineError::io("lock", &path, source)),
    }
}

/// Waits until nobody else is heard, and takes the lock of whoever is.
pub fn take_sound(home: &Home) -> Result<OwnedFd, SpineError> {
    let path = home.sound_lock();
    let file = open(&path)?;
    loop {
        match flock(&file, FlockOperation::LockExclusive) {
            Ok(()) => return Ok(file.into()),
            Err(Errno::INTR) => {}
            Err(source) => return Err(SpineError::io("lock", &path, source)),
        }
    }
}

fn open(path: &Path) -> Result<File, SpineError> {
    File::options()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .mode(0o600)
        .open(path)
        .map_err(|source| SpineError::io("open", path, source))
}

/// Whether some process holds the daemon's lock. To know, it is taken for a moment: a hook that wants
/// to start a daemon in just that moment leaves it to the next event. Not for anything but tests.
pub fn is_held(home: &Home) -> Result<bool, SpineError> {
    match try_take(home) {
        Ok(lock) => Ok(lock.is_none()),
        Err(error) if error.is_not_found() => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holder_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        assert!(!is_held(&home).unwrap());
        home.create().unwrap();
        let lock = try_take(&home).unwrap();
        assert!(lock.is_some());
        assert!(try_take(&home).unwrap().is_none());
        assert!(is_held(&home).unwrap());
        drop(lock);
        assert!(!is_held(&home).unwrap());
    }
}
