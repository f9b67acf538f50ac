//! Whether a folder is fit for locks, sockets and appends, and a private folder for when it is not.
//!
//! Shared file systems break what the journal rests on: `O_APPEND` is not atomic between machines on NFS, and locks and
//! sockets on 9p are pretended. State found there moves to a local folder that is keyed by machine and by the folder it
//! stands for, so that one home mounted on ten machines has ten journals.

use std::io::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
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
    0x0bd0_0bd0, // Lustre
    0x4750_4653, // GPFS
    0x1983_0326, // BeeGFS
];

/// File systems in user space are of all kinds; these of them are shared. An encrypted home is not.
#[cfg(target_os = "linux")]
const FUSE: u32 = 0x6573_5546;
#[cfg(target_os = "linux")]
const SHARED_FUSE: &[&str] = &[
    "fuse.sshfs",
    "fuse.rclone",
    "fuse.s3fs",
    "fuse.glusterfs",
    "fuse.ceph-fuse",
    "fuse.nfs",
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

/// A short name for a path, the same each time; two paths could share one. The hook makes it at every event, so it is
/// FNV-1a, which asks nothing of the processor.
pub(crate) fn key(path: &Path) -> String {
    let bytes = path.as_os_str().as_bytes().iter();
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
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

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
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
    let found = path
        .ancestors()
        .find_map(|folder| Some((folder, rustix::fs::statfs(folder).ok()?)));
    let Some((folder, stat)) = found else {
        return false;
    };
    match u32::try_from(stat.f_type) {
        Ok(FUSE) => {
            let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
            let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
            mounted_as(&mounts, &folder).is_some_and(|kind| SHARED_FUSE.contains(&kind))
        }
        Ok(magic) => SHARED.contains(&magic),
        Err(_) => false,
    }
}

/// The type of the mount that a folder is on, from the text of `/proc/self/mountinfo`.
#[cfg(target_os = "linux")]
fn mounted_as<'a>(mounts: &'a str, folder: &Path) -> Option<&'a str> {
    let mounts = mounts.lines().filter_map(|line| {
        let (left, right) = line.split_once(" - ")?;
        let point = Path::new(left.split(' ').nth(4)?);
        folder
            .starts_with(point)
            .then_some((point.as_os_str().len(), right.split(' ').next()?))
    });
    // Of two mounts on the same folder the later one counts.
    mounts
        .max_by_key(|(length, _)| *length)
        .map(|(_, kind)| kind)
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

/// Replaces a file of ours, whole or not at all, for its owner alone; its folder is made if missing.
pub fn replace_private(path: &Path, content: &[u8]) -> Result<(), SpineError> {
    let failed = |source| SpineError::io("write", path, source);
    if let Some(folder) = path.parent() {
        create_private(folder)?;
    }
    // A name that nobody can have put a link at.
    let mut random = [0; 8];
    rustix::rand::getrandom(&mut random, rustix::rand::GetRandomFlags::empty())
        .map_err(|errno| failed(errno.into()))?;
    let mut fresh = path.as_os_str().to_owned();
    fresh.push(format!(".{}", hex(&random)));
    let mut file = std::fs::File::options()
        .create_new(true)
        .write(true)
        .mode(0o600)
        .open(&fresh)
        .map_err(failed)?;
    file.write_all(content)
        .and_then(|()| file.sync_data())
        .map_err(failed)?;
    std::fs::rename(&fresh, path).map_err(failed)
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
    fn the_innermost_mount_counts() {
        let mounts = "22 1 254:0 / / rw - ext4 /dev/vda rw\n\
                      30 22 0:40 / /home/dev rw shared:1 - fuse.sshfs host: rw\n\
                      31 30 0:41 / /home/dev/vault rw - fuse.gocryptfs x rw\n";
        let kind = |folder: &str| mounted_as(mounts, Path::new(folder)).unwrap();
        assert_eq!(kind("/var"), "ext4");
        assert_eq!(kind("/home/dev/.local"), "fuse.sshfs");
        assert_eq!(kind("/home/dev/vault/x"), "fuse.gocryptfs");
        assert_eq!(kind("/home/developer"), "ext4");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn proc_is_no_shared_file_system_and_a_missing_folder_asks_its_parent() {
        assert!(!is_shared(Path::new("/proc/self/no/such/folder")));
    }
}
