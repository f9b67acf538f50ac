//! Where bellwether keeps its files. Every path of a file of ours is named here and nowhere else.
//!
//! `--home DIR` puts everything under one folder; without it the XDG folders are used (on macOS `~/Library`). Locks,
//! sockets, journal and database are state, never runtime files: a reboot or a logout must not lose them.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::{SpineError, place};

/// Longest socket path that every system takes (`sun_path` is 104 bytes on macOS, 108 on Linux, with its NUL).
const SOCKET_PATH_MAX: usize = 100;

/// The folders of one installation.
#[derive(Debug, Clone)]
pub struct Home {
    root: Option<PathBuf>,
    state: PathBuf,
    sockets: PathBuf,
    config: PathBuf,
}

impl Home {
    /// The installation that `--home` names, or the user's own. A folder of ours that stands where
    /// anyone may write is made and checked here, so that no path below it can be had unchecked.
    pub fn find(root: Option<PathBuf>) -> Result<Self, SpineError> {
        let home = match root {
            Some(root) if root.is_absolute() => Self::under(root),
            Some(root) => return Err(SpineError::NotAbsolute { path: root }),
            None => Self::of_user()?,
        };
        for folder in [home.state(), home.sockets()] {
            if place::is_stand_in(folder) {
                place::create_private(folder)?;
                place::check_private(folder)?;
            }
        }
        Ok(home)
    }

    /// A home that holds nothing and takes nothing, for whoever must answer although none was found.
    pub fn nowhere() -> Self {
        let root = PathBuf::from("/dev/null/bellwether");
        let (state, config) = (root.join("state"), root.join("config"));
        Self {
            sockets: state.clone(),
            root: Some(root),
            state,
            config,
        }
    }

    fn under(root: PathBuf) -> Self {
        let (state, config) = (root.join("state"), root.join("config"));
        Self::new(Some(root), state, config)
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
        Ok(Self::new(None, state, config))
    }

    fn new(root: Option<PathBuf>, state: PathBuf, config: PathBuf) -> Self {
        let state = place::local(state);
        let longest = state.as_os_str().len() + "/control.sock".len();
        let sockets = if longest <= SOCKET_PATH_MAX {
            state.clone()
        } else {
            place::short_folder(&state)
        };
        Self {
            root,
            state,
            sockets,
            config,
        }
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

    /// The lock of whoever is heard at the moment: one at a time.
    pub fn sound_lock(&self) -> PathBuf {
        self.state.join("sound.lock")
    }

    /// What overlays keep, one lock a display among it.
    pub fn overlays(&self) -> PathBuf {
        self.state.join("overlays")
    }

    pub fn log(&self) -> PathBuf {
        self.state.join("daemon.log")
    }

    /// What the hook and the daemon could not do.
    pub fn troubles(&self) -> PathBuf {
        self.state.join("troubles.jsonl")
    }

    /// What a person should hear of once.
    pub fn notices(&self) -> PathBuf {
        self.state.join("notices.jsonl")
    }

    /// Hashes of what opens the page and the API.
    pub fn page_keys(&self) -> PathBuf {
        self.state.join("page.json")
    }

    /// What the person has agreed to.
    pub fn confirmed(&self) -> PathBuf {
        self.state.join("confirmed.json")
    }

    /// Where earlier versions kept what opens the page; it is removed.
    pub fn token(&self) -> PathBuf {
        self.state.join("token")
    }

    /// Which project files are trusted.
    pub fn trust(&self) -> PathBuf {
        self.state.join("trust.json")
    }

    /// What the person has allowed for a while.
    pub fn allowed(&self) -> PathBuf {
        self.state.join("allow.json")
    }

    /// What the guard has stopped, one line each.
    pub fn security_log(&self) -> PathBuf {
        self.state.join("security.log")
    }

    /// The same as a chain in which no line can be changed unseen.
    pub fn audit(&self) -> PathBuf {
        self.state.join("audit.jsonl")
    }

    /// One byte for each line that could not be written into that chain.
    pub fn audit_gaps(&self) -> PathBuf {
        self.state.join("audit.gaps")
    }

    /// Which of those stops the person calls right, and which wrong.
    pub fn reviews(&self) -> PathBuf {
        self.state.join("reviews.jsonl")
    }

    /// The guard's questions that wait for an answer, and those that a person has answered with yes.
    pub fn consents(&self) -> PathBuf {
        self.state.join("consents")
    }

    /// Which announcements the person has muted.
    pub fn mutes(&self) -> PathBuf {
        self.state.join("mutes.json")
    }

    /// Speech that was made before.
    pub fn speech(&self) -> PathBuf {
        self.state.join("speech")
    }

    /// What the hook reads of the configuration, for one project or for none.
    pub fn snapshot(&self, project: Option<&Path>) -> PathBuf {
        let key = project.map_or_else(|| "none".to_owned(), place::key);
        self.state.join("config").join(format!("{key}.snapshot"))
    }

    /// The trees that the gate has let pass.
    pub fn gate_passes(&self) -> PathBuf {
        self.gate("passes")
    }

    /// Where the gate lays out what is about to be committed, one folder a repository.
    pub fn gate_trees(&self) -> PathBuf {
        self.gate("trees")
    }

    /// What the gate does at the moment, one file a repository.
    pub fn gate_running(&self) -> PathBuf {
        self.gate("running")
    }

    /// What the gate found last, one file a repository.
    pub fn gate_results(&self) -> PathBuf {
        self.gate("results")
    }

    /// What the person has been told of once, such as a tool that is not installed.
    pub fn gate_told(&self) -> PathBuf {
        self.gate("told")
    }

    /// The locks of those who check a repository: one at a time.
    pub fn gate_locks(&self) -> PathBuf {
        self.gate("locks")
    }

    fn gate(&self, name: &str) -> PathBuf {
        self.state.join("gate").join(name)
    }

    /// Where the gate works out what will be committed.
    pub fn gate_drafts(&self) -> PathBuf {
        self.gate("drafts")
    }

    /// Sessions that have ended and wait to be exported, one file each.
    pub fn exports(&self) -> PathBuf {
        self.state.join("exports")
    }

    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.yaml")
    }

    /// The person's keys for services.
    pub fn keys(&self) -> PathBuf {
        self.config.join("keys.json")
    }

    /// The person's own characters, one file each.
    pub fn characters(&self) -> PathBuf {
        self.config.join("characters")
    }

    /// The folder of sockets: the state folder, or a short one where that has too long a path.
    fn sockets(&self) -> &Path {
        &self.sockets
    }

    /// The socket that takes wake-ups.
    pub fn wake_socket(&self) -> PathBuf {
        self.sockets.join("wake.sock")
    }

    /// The socket that the CLI talks to.
    pub fn control_socket(&self) -> PathBuf {
        self.sockets.join("control.sock")
    }

    /// Every file and folder of state that we may have made, but for those that hold others of them.
    pub fn everything(&self) -> Vec<PathBuf> {
        let beside = |path: PathBuf, ends: &[&str]| -> Vec<PathBuf> {
            let with = |end: &&str| PathBuf::from(format!("{}{end}", path.display()));
            ends.iter().map(with).collect()
        };
        let mut all = vec![
            self.journal(),
            self.state.join("config"),
            self.speech(),
            self.state.join("gate"),
            self.exports(),
            self.overlays(),
            self.token(),
            self.page_keys(),
            self.confirmed(),
            self.trust(),
            self.mutes(),
            self.troubles(),
            self.notices(),
            self.allowed(),
            self.security_log(),
            self.audit(),
            self.audit_gaps(),
            self.reviews(),
            self.consents(),
            self.lock(),
            self.sound_lock(),
        ];
        all.extend([self.wake_socket(), self.control_socket()]);
        all.extend(beside(self.log(), &["", ".1", ".2"]));
        all.extend(beside(self.database(), &["", "-wal", "-shm"]));
        let search = ["-search", "-search-wal", "-search-shm"];
        all.extend(beside(self.database(), &search));
        all
    }

    /// Creates the folders that sockets and journal need, each for its owner alone.
    pub fn create(&self) -> Result<(), SpineError> {
        place::create_private(&self.journal())?;
        place::create_private(&self.sockets)
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

/// The home folder that the list of users gives to whoever runs this, whatever the environment says.
pub(crate) fn of_account() -> Option<PathBuf> {
    let uid = rustix::process::getuid().as_raw();
    home_in_passwd(&std::fs::read("/etc/passwd").ok()?, uid).map(PathBuf::from)
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
