//! Where a machine's administrator keeps what no user may change: programs, registration and policy.
//!
//! Architecture Invariant: what is read here counts only when root wrote it and nobody else could have. A hook runs as
//! the user, whose agent may have tried.

use std::fs::{File, Metadata};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use crate::{HOOK, SpineError, overlay};

/// What is larger than this was not written by us.
const LARGEST: u64 = 4 * 1024 * 1024;
/// The bits that let somebody else write.
const OTHERS: u32 = 0o022;

/// The files of a managed installation.
#[derive(Debug, Clone)]
pub struct Managed {
    root: PathBuf,
    /// Whose the files must be.
    owner: u32,
}

impl Default for Managed {
    fn default() -> Self {
        Self {
            root: "/".into(),
            owner: 0,
        }
    }
}

impl Managed {
    /// The same below another folder, which belongs to whoever runs this: for trying it out.
    pub fn below(root: PathBuf) -> Self {
        Self {
            root,
            owner: rustix::process::geteuid().as_raw(),
        }
    }

    /// The folder of policy, snapshot and allowances.
    pub fn folder(&self) -> PathBuf {
        self.root.join("etc/bellwether")
    }

    /// What the administrator says, for people.
    pub fn policy(&self) -> PathBuf {
        self.folder().join("policy.yaml")
    }

    /// The same, for the hook.
    pub fn snapshot(&self) -> PathBuf {
        self.folder().join("policy.snapshot")
    }

    /// What the administrator has allowed for a while.
    pub fn allowed(&self) -> PathBuf {
        self.folder().join("allow.json")
    }

    /// What an installation has made beside its own files, so that it can be taken back.
    pub fn receipt(&self) -> PathBuf {
        self.folder().join("installed.json")
    }

    /// The client's settings that no user can overrule.
    pub fn settings(&self) -> PathBuf {
        let folder = if cfg!(target_os = "macos") {
            "Library/Application Support/ClaudeCode"
        } else {
            "etc/claude-code"
        };
        self.root.join(folder).join("managed-settings.json")
    }

    /// The folder of the programs. They must stand side by side, and a folder of their own can be removed and checked
    /// as a whole.
    pub fn programs(&self) -> PathBuf {
        self.root.join("usr/local/lib/bellwether")
    }

    pub fn main_program(&self) -> PathBuf {
        self.programs().join("bellwether")
    }

    pub fn hook(&self) -> PathBuf {
        self.programs().join(HOOK)
    }

    pub fn overlay(&self) -> PathBuf {
        self.programs().join(overlay::PROGRAM)
    }

    /// How people reach the program.
    pub fn link(&self) -> PathBuf {
        self.root.join("usr/local/bin/bellwether")
    }

    /// A file's content; `None` when there is none. What somebody else could have written is refused.
    pub fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, SpineError> {
        let failed = |source| SpineError::io("read", path, source);
        let folder = path.parent().unwrap_or(path);
        match std::fs::symlink_metadata(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
            Ok(seen) if !seen.is_dir() => return Err(self.writable(folder)),
            Ok(seen) => self.check(folder, &seen)?,
        }
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let opened = File::options()
            .read(true)
            .custom_flags(flags.bits().cast_signed())
            .open(path);
        let file = match opened {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other.map_err(failed)?,
        };
        let seen = file.metadata().map_err(failed)?;
        if !seen.is_file() {
            return Err(self.writable(path));
        }
        self.check(path, &seen)?;
        let mut content = Vec::new();
        file.take(LARGEST)
            .read_to_end(&mut content)
            .map_err(failed)?;
        Ok(Some(content))
    }

    /// Whether a file or folder is root's, and nobody else may write it.
    pub fn check_path(&self, path: &Path) -> Result<(), SpineError> {
        // A link's own bits mean nothing: who may replace it is said by its folder.
        let seen = path
            .metadata()
            .map_err(|source| SpineError::io("look at", path, source))?;
        self.check(path, &seen)
    }

    fn check(&self, path: &Path, seen: &Metadata) -> Result<(), SpineError> {
        if seen.uid() == self.owner && seen.mode() & OTHERS == 0 {
            return Ok(());
        }
        Err(self.writable(path))
    }

    fn writable(&self, path: &Path) -> SpineError {
        SpineError::Writable {
            path: path.to_owned(),
            uid: self.owner,
        }
    }

    /// Replaces a file, whole or not at all, for everybody to read.
    pub fn replace(&self, path: &Path, content: &[u8]) -> Result<(), SpineError> {
        let failed = |source| SpineError::io("write", path, source);
        let mut fresh = path.as_os_str().to_owned();
        fresh.push(".new");
        let fresh = PathBuf::from(fresh);
        let _ = std::fs::remove_file(&fresh);
        let mut file = File::options()
            .create_new(true)
            .write(true)
            .open(&fresh)
            .map_err(failed)?;
        // Whatever the umask says: a hook of any user reads it.
        file.set_permissions(std::fs::Permissions::from_mode(0o644))
            .and_then(|()| file.write_all(content))
            .and_then(|()| file.sync_all())
            .and_then(|()| std::fs::rename(&fresh, path))
            .map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set_mode(path: &Path, mode: u32) {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn what_somebody_else_could_have_written_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let managed = Managed::below(folder.path().to_owned());
        let path = managed.snapshot();
        assert!(managed.read(&path).unwrap().is_none());
        std::fs::create_dir_all(managed.folder()).unwrap();
        set_mode(&managed.folder(), 0o755);
        assert!(managed.read(&path).unwrap().is_none());
        managed.replace(&path, b"x").unwrap();
        assert_eq!(managed.read(&path).unwrap().unwrap(), b"x");
        assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o644);
        for (path, mode) in [(&path, 0o666), (&path, 0o664), (&managed.folder(), 0o777)] {
            let before = path.metadata().unwrap().mode();
            set_mode(path, mode);
            let read = managed.read(&managed.snapshot());
            assert!(matches!(read, Err(SpineError::Writable { .. })), "{mode:o}");
            set_mode(path, before & 0o777);
        }
        let another = Managed {
            owner: managed.owner + 1,
            ..managed.clone()
        };
        assert!(another.read(&path).is_err());
        std::fs::rename(&path, managed.folder().join("other")).unwrap();
        std::os::unix::fs::symlink(managed.folder().join("other"), &path).unwrap();
        assert!(managed.read(&path).is_err(), "a link");
    }
}
