//! Where bellwether keeps its files. Every path of a file of ours is named here and nowhere else.
//!
//! `--home DIR` puts everything under one folder; without it the XDG folders are used (on macOS `~/Library`). Locks,
//! sockets, journal and database are state, never runtime files: a reboot or a logout must not lose them.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::{SpineError, place};

/// Longest socket path that every system takes (`sun_path` is 104 bytes on macOS, 108 on Linux, with its NUL).
const SOCKET_PATH_MAX: usize = 100;

/// The folders of one installation.
#[derive(Debug, Clone)]
pub struct Home {
    root: Option<PathBuf>,
    state: PathBuf,
    config: PathBuf,
}

impl Home {
    /// The installation that `--home` names, or the user's own.
    pub fn find(root: Option<PathBuf>) -> Result<Self, SpineError> {
        match root {
            Some(root) => Ok(Self::under(std::path::absolute(&root).unwrap_or(root))),
            None => Self::of_user(),
        }
    }

    fn under(root: PathBuf) -> Self {
        Self {
            state: place::local(root.join("state")),
            config: root.join("config"),
            root: Some(root),
        }
    }

    fn of_user() -> Result<Self, SpineError> {
        let home = user_folder()?;
        let (state, config) = if cfg!(target_os = "macos") {
            let library = home.join("Library/Application Support/bellwether");
            (library.join("state"), library)
        } else {
            (
                xdg("XDG_STATE_HOME")
                    .unwrap_or_else(|| home.join(".local/state"))
                    .join("bellwether"),
                xdg("XDG_CONFIG_HOME")
                    .unwrap_or_else(|| home.join(".config"))
                    .join("bellwether"),
            )
        };
        Ok(Self {
            root: None,
            state: place::local(state),
            config,
        })
    }

    /// What `--home` said, if anything: a process we start gets the same.
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// The folder of journal, database, lock and log.
    pub fn state(&self) -> &Path {
        &self.state
    }

    /// The folder of `config.yaml`.
    pub fn config(&self) -> &Path {
        &self.config
    }

    /// The folder of journal segments.
    pub fn journal(&self) -> PathBuf {
        self.state.join("journal")
    }

    /// The database of stored events.
    pub fn database(&self) -> PathBuf {
        self.state.join("flock.db")
    }

    /// The lock that the one daemon holds.
    pub fn lock(&self) -> PathBuf {
        self.state.join("daemon.lock")
    }

    /// The daemon's log.
    pub fn log(&self) -> PathBuf {
        self.state.join("daemon.log")
    }

    /// What the hook and the daemon could not do.
    pub fn troubles(&self) -> PathBuf {
        self.state.join("troubles.jsonl")
    }

    /// The socket that takes wake-ups.
    pub fn wake_socket(&self) -> PathBuf {
        self.socket("wake.sock")
    }

    /// The socket that the CLI talks to.
    pub fn control_socket(&self) -> PathBuf {
        self.socket("control.sock")
    }

    fn socket(&self, name: &str) -> PathBuf {
        let path = self.state.join(name);
        if path.as_os_str().as_bytes().len() <= SOCKET_PATH_MAX {
            return path;
        }
        place::short_folder(&self.state).join(name)
    }

    /// Creates the folders that sockets and journal need, each for its owner alone.
    pub fn create(&self) -> Result<(), SpineError> {
        place::create_private(&self.journal())?;
        if let Some(folder) = self.wake_socket().parent() {
            place::create_private(folder)?;
        }
        self.check()
    }

    /// Checks the folders that stand where anyone may write; the others are the user's own affair.
    pub fn check(&self) -> Result<(), SpineError> {
        let socket = self.wake_socket();
        for folder in [Some(self.state()), socket.parent()].into_iter().flatten() {
            if place::is_stand_in(folder) {
                place::check_private(folder)?;
            }
        }
        Ok(())
    }
}

/// A folder from the environment; the XDG rules say that a relative one is to be ignored.
fn xdg(name: &str) -> Option<PathBuf> {
    std::env::var_os(name)
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
}

fn user_folder() -> Result<PathBuf, SpineError> {
    let uid = rustix::process::getuid().as_raw();
    std::env::var_os("HOME")
        .filter(|home| Path::new(home).is_absolute())
        .or_else(|| home_in_passwd(&std::fs::read("/etc/passwd").ok()?, uid))
        .map(PathBuf::from)
        .ok_or(SpineError::NoHome { uid })
}

/// The home folder of a user in the text of `/etc/passwd`. (The C library's own look-up cannot be linked statically.)
fn home_in_passwd(passwd: &[u8], uid: u32) -> Option<OsString> {
    let uid = uid.to_string();
    passwd.split(|byte| *byte == b'\n').find_map(|line| {
        let mut fields = line.split(|byte| *byte == b':');
        (fields.nth(2)? == uid.as_bytes()).then_some(())?;
        let home = fields.nth(2)?;
        home.starts_with(b"/")
            .then(|| std::ffi::OsStr::from_bytes(home).to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_folder_is_found_in_passwd() {
        let passwd = b"root:x:0:0:root:/root:/bin/bash\nbroken\ndev:x:1000:1000:,,,:/home/dev:/bin/zsh\nnone:x:7:7::\n";
        assert_eq!(home_in_passwd(passwd, 1000).unwrap(), "/home/dev");
        assert_eq!(home_in_passwd(passwd, 0).unwrap(), "/root");
        assert_eq!(home_in_passwd(passwd, 7), None);
        assert_eq!(home_in_passwd(passwd, 5), None);
    }

    #[test]
    fn everything_of_a_named_home_is_below_it() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        for path in [
            home.journal(),
            home.database(),
            home.lock(),
            home.log(),
            home.troubles(),
            home.wake_socket(),
        ] {
            assert!(path.starts_with(folder.path()), "{}", path.display());
        }
    }

    #[test]
    fn a_long_socket_path_moves_to_a_short_private_folder() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().join("x".repeat(120)))).unwrap();
        let socket = home.wake_socket();
        assert!(
            socket.as_os_str().len() <= SOCKET_PATH_MAX,
            "{}",
            socket.display()
        );
        assert_eq!(socket.parent(), home.control_socket().parent());
        home.create().unwrap();
        place::check_private(socket.parent().unwrap()).unwrap();
        std::fs::remove_dir(socket.parent().unwrap()).unwrap();
    }
}
