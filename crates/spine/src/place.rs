//! Whether a folder is fit for locks, sockets and appends, and a private folder for when it is not.
//!
//! Shared file systems break what the journal rests on: `O_APPEND` is not atomic between machines on NFS, and locks and
//! sockets on 9p are pretended. State found there moves to a local folder that is keyed by machine and by the folder it
//! stands for, so that one home mounted on ten machines has ten journals.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::SpineError;

/// Names of file systems that are shared between machines, or served by a process that may keep no promise, by their
/// `statfs` magic number.
#[cfg(target_os = "linux")]
const SHARED: &[u32] = &[
    0x0000_6969, // NFS
    0x0000_517b, // SMB
    0xff53_4d42, // CIFS
    0xfe53_4d42, // SMB2
    0x0102_1997, // 9p
    0x5346_414f, // AFS
    0x00c3_6400, // Ceph
    0x7375_7245, // Coda
    0x786f_4256, // VirtualBox shared folders
    0x6573_5546, // FUSE: sshfs and friends
];

/// Where local state may live when the home folder may not hold it: survives a reboot, unlike `/tmp`.
const LOCAL: &str = "/var/tmp";

/// The folder to keep state in: `wanted`, or its local stand-in when `wanted` is on a shared file system.
pub fn local(wanted: PathBuf) -> PathBuf {
    if !is_shared(&wanted) || is_shared(Path::new(LOCAL)) {
        return wanted;
    }
    stand_in(Path::new(LOCAL), &wanted)
}

/// A folder below `parent` that stands for `folder` on this machine and for this user.
fn stand_in(parent: &Path, folder: &Path) -> PathBuf {
    let mut key = Sha256::new();
    key.update(machine());
    key.update([0]);
    key.update(folder.as_os_str().as_bytes());
    parent.join(format!(
        "bellwether-{}-{}",
        rustix::process::getuid().as_raw(),
        hex(&key.finalize()[..8])
    ))
}

/// Whether a folder is one of ours in a place where anyone may write.
pub fn is_stand_in(folder: &Path) -> bool {
    let mut parts = folder.iter().rev();
    let ours = parts
        .next()
        .is_some_and(|name| name.as_bytes().starts_with(b"bellwether-"));
    ours && parts.next().is_some_and(|parent| parent == "tmp")
}

fn machine() -> Vec<u8> {
    std::fs::read("/etc/machine-id")
        .unwrap_or_else(|_| rustix::system::uname().nodename().to_bytes().to_vec())
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

/// Whether `path`, or the nearest folder above it that exists, is on a shared file system.
#[cfg(target_os = "linux")]
fn is_shared(path: &Path) -> bool {
    path.ancestors()
        .find_map(|folder| rustix::fs::statfs(folder).ok())
        .is_some_and(|stat| u32::try_from(stat.f_type).is_ok_and(|magic| SHARED.contains(&magic)))
}

#[cfg(not(target_os = "linux"))]
fn is_shared(_: &Path) -> bool {
    false
}

/// The folder for sockets whose own path would be too long for the system: short, private, checked at every use.
pub fn short_folder(folder: &Path) -> PathBuf {
    stand_in(Path::new("/tmp"), folder)
}

/// Creates `path` for its owner alone if it is missing.
pub fn create_private(path: &Path) -> Result<(), SpineError> {
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(|source| SpineError::io("create the folder", path, source))
}

/// Checks that `path` is a real folder (no symlink) of this user that nobody else may enter. Folders in places where
/// anyone may write could have been made by someone else first.
pub fn check_private(path: &Path) -> Result<(), SpineError> {
    let uid = rustix::process::getuid().as_raw();
    let seen = std::fs::symlink_metadata(path)
        .map_err(|source| SpineError::io("look at", path, source))?;
    if seen.is_dir() && seen.uid() == uid && seen.mode() & 0o077 == 0 {
        return Ok(());
    }
    Err(SpineError::Untrusted {
        path: path.to_owned(),
        uid,
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_stand_in_differs_by_folder_and_repeats() {
        let parent = Path::new("/var/tmp");
        assert_eq!(
            stand_in(parent, Path::new("/a")),
            stand_in(parent, Path::new("/a"))
        );
        assert_ne!(
            stand_in(parent, Path::new("/a")),
            stand_in(parent, Path::new("/b"))
        );
    }

    #[test]
    fn a_folder_that_others_may_enter_is_not_private() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        assert!(matches!(
            check_private(folder.path()),
            Err(SpineError::Untrusted { .. })
        ));
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
        check_private(folder.path()).unwrap();
    }

    #[test]
    fn a_symlink_is_not_private() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        create_private(&real).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        assert!(matches!(
            check_private(&link),
            Err(SpineError::Untrusted { .. })
        ));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn proc_is_no_shared_file_system_and_a_missing_folder_asks_its_parent() {
        assert!(!is_shared(Path::new("/proc/self/no/such/folder")));
    }
}
