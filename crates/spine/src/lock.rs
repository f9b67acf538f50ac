//! Locks: the one that makes one daemon a home, those of overlays, and the one of whoever is heard. Each belongs to an open file, so it survives `fork` and `exec` and is gone the
//! moment its last holder dies, however it dies.

use std::fs::File;
use std::os::fd::{OwnedFd, RawFd};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::{Home, SpineError, launch};

/// Takes the daemon's lock; `None` when a daemon runs or is being started.
pub fn try_take(home: &Home) -> Result<Option<OwnedFd>, SpineError> {
    try_take_at(&home.lock())
}

/// Takes the lock at a path; `None` while somebody holds it.
pub(crate) fn try_take_at(path: &Path) -> Result<Option<OwnedFd>, SpineError> {
    let file = open(path)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file.into())),
        Err(Errno::WOULDBLOCK) => Ok(None),
        Err(source) => Err(SpineError::io("lock", path, source)),
    }
}

/// Takes over a lock that was handed to us under a number, if it really is the one at this path.
pub fn adopt(path: &Path, number: RawFd) -> Result<Option<OwnedFd>, SpineError> {
    let failed = |source| SpineError::io("take over", path, source);
    let Ok(inherited) = std::fs::metadata(format!("/dev/fd/{number}")) else {
        return Ok(None);
    };
    let named = std::fs::metadata(path).map_err(failed)?;
    if (inherited.dev(), inherited.ino()) != (named.dev(), named.ino()) {
        return Ok(None);
    }
    let lock = launch::handed(number).map_err(failed)?;
    flock(&lock, FlockOperation::NonBlockingLockExclusive).map_err(|error| failed(error.into()))?;
    Ok(Some(lock))
}

/// The file of a lock that is held. It is the home's lock only while it stands at its path: whoever deletes the state
/// folder or moves it away lets the next daemon make a file, and a lock, of its own.
#[derive(Debug, Clone)]
pub struct HeldLock {
    path: PathBuf,
    file: (u64, u64),
}

impl HeldLock {
    pub fn of(home: &Home, lock: &OwnedFd) -> Result<Self, SpineError> {
        let path = home.lock();
        let seen =
            rustix::fs::fstat(lock).map_err(|errno| SpineError::io("look at", &path, errno))?;
        Ok(Self {
            path,
            file: (seen.st_dev, seen.st_ino),
        })
    }

    /// Whether the lock is still the home's. A path that cannot be looked at for another reason may be well again soon.
    pub fn stands(&self) -> bool {
        use std::io::ErrorKind::{NotADirectory, NotFound};
        match std::fs::symlink_metadata(&self.path) {
            Ok(seen) => (seen.dev(), seen.ino()) == self.file,
            Err(error) => !matches!(error.kind(), NotFound | NotADirectory),
        }
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

    #[test]
    fn a_lock_stands_while_its_file_is_the_one_at_its_path() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        home.create().unwrap();
        let lock = try_take(&home).unwrap().unwrap();
        let held = HeldLock::of(&home, &lock).unwrap();
        assert!(held.stands());
        let aside = folder.path().join("aside");
        std::fs::rename(home.state(), &aside).unwrap();
        assert!(!held.stands(), "the folder was moved away");
        home.create().unwrap();
        let other = try_take(&home).unwrap().unwrap();
        assert!(!held.stands(), "another lock stands there");
        assert!(HeldLock::of(&home, &other).unwrap().stands());
        std::fs::remove_dir_all(home.state()).unwrap();
        std::fs::rename(&aside, home.state()).unwrap();
        assert!(held.stands(), "the folder was put back");
        std::fs::remove_file(home.lock()).unwrap();
        assert!(!held.stands());
    }
}
