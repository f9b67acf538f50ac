//! What the gate keeps about a repository: who checks it now, what was found last, what the person was told.
//!
//! Whoever holds the lock of a repository checks it; the lock goes with its last holder, however that dies.

use std::collections::BTreeSet;
use std::fs::File;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bellwether_hook::gate::Passes;
use bellwether_spine::digest::sha256;
use bellwether_spine::{Home, clock, place};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::GateError;
use crate::process::{Limits, end_marked};
use crate::report::{Report, StepReport};

/// How often it is looked whether another run has ended.
const LOOK_EVERY: Duration = Duration::from_millis(25);
/// How long the lock of a run that has died is waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// So much of a hash tells two work trees apart.
const KEY: usize = 16;

/// A work tree that we alone check.
#[derive(Debug)]
pub(crate) struct Repository {
    key: String,
    /// Held for as long as this lives.
    _lock: File,
}

/// What goes on in a work tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Running {
    /// The name of the run, which its processes carry.
    pub run: String,
    pub pid: u32,
    pub root: PathBuf,
    pub tree: String,
    /// Milliseconds since 1970.
    pub started_ms: u64,
    /// How long it may take.
    pub deadline_ms: Option<u64>,
    /// Where the checks run.
    pub place: PathBuf,
    pub steps: Vec<StepReport>,
}

/// What was found last in a work tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ended {
    pub root: PathBuf,
    pub tree: String,
    pub rules: String,
    /// Milliseconds since 1970.
    pub ended_ms: u64,
    pub report: Report,
}

impl Repository {
    /// Waits until nobody else checks a work tree.
    pub(crate) fn take(home: &Home, root: &Path, limits: &Limits) -> Result<Self, GateError> {
        let key = key(root);
        let file = open_lock(home, &key)?;
        loop {
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => break,
                Err(Errno::WOULDBLOCK | Errno::INTR) => {}
                Err(errno) => return Err(GateError::io("lock", root)(errno.into())),
            }
            if let Some(stop) = limits.stop() {
                return Err(stop.into());
            }
            std::thread::sleep(limits.patience(LOOK_EVERY));
        }
        Ok(Self { key, _lock: file })
    }

    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// The folder for a tree of its own.
    pub(crate) fn tree(&self, home: &Home) -> PathBuf {
        home.gate_trees().join(&self.key)
    }

    pub(crate) fn tell_running(&self, home: &Home, running: &Running) {
        // Nobody waits for it.
        let _ = write(&running_file(home, &self.key), running);
    }

    pub(crate) fn keep(&self, home: &Home, ended: &Ended) -> Result<(), GateError> {
        write(&ended_file(home, &self.key), ended)
    }

    /// Of these lines those that the person was not told before; from now on they were.
    pub(crate) fn untold(&self, home: &Home, lines: Vec<String>) -> Vec<String> {
        let file = home.gate_told().join(&self.key);
        let mut told: Vec<String> = read(&file).unwrap_or_default();
        let fresh: Vec<String> = lines
            .into_iter()
            .filter(|line| !told.contains(line))
            .collect();
        if !fresh.is_empty() {
            told.extend(fresh.iter().cloned());
            // What cannot be kept is told again.
            let _ = write(&file, &told);
        }
        fresh
    }
}

/// A short name for a work tree.
fn key(root: &Path) -> String {
    let mut hash = sha256(root.as_os_str().as_encoded_bytes());
    hash.truncate(KEY);
    hash
}

fn open_lock(home: &Home, key: &str) -> Result<File, GateError> {
    place::create_private(&home.gate_locks())?;
    let path = home.gate_locks().join(key);
    let mut options = File::options();
    options.create(true).truncate(false).read(true).write(true);
    options
        .mode(0o600)
        .open(&path)
        .map_err(GateError::io("open", &path))
}

/// Removes what a run has left: its folder, the file that tells of it, and what it was just writing when it was killed. For
/// whoever holds the lock.
pub(crate) fn forget(home: &Home, key: &str) -> Result<(), GateError> {
    let folder = home.gate_trees().join(key);
    match std::fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(GateError::io("remove", &folder)(error));
        }
        _ => {}
    }
    // Nobody reads it once the lock is free.
    let _ = std::fs::remove_file(running_file(home, key));
    for folder in [home.gate_running(), home.gate_results(), home.gate_told()] {
        for name in names(&folder).filter(|name| key_of(name) == Some(key) && name != key) {
            // It has the content of nothing: the file that it was to become is there or is not.
            let _ = std::fs::remove_file(folder.join(name));
        }
    }
    Ok(())
}

/// The same for whoever does not, once the run has let go of it: the system takes a moment for that. Another run that has
/// taken it meanwhile has cleared away itself.
pub(crate) fn clear_away(home: &Home, key: &str, run: &str) -> Result<(), GateError> {
    if key_of(key) != Some(key) {
        return Ok(());
    }
    let lock = open_lock(home, key)?;
    let until = Instant::now() + PATIENCE;
    while !try_lock(&lock) {
        let running = read::<Running>(&running_file(home, key));
        if running.is_some_and(|running| running.run != run) || Instant::now() >= until {
            return Ok(());
        }
        std::thread::sleep(LOOK_EVERY);
    }
    forget(home, key)
}

/// Ends and removes what runs have left that died together with their guardians.
pub(crate) fn forget_the_dead(home: &Home, own: &Repository) {
    let mut left = keys(&home.gate_running());
    left.extend(keys(&home.gate_trees()));
    for key in left {
        let lock = open_lock(home, &key).ok();
        if key == own.key || lock.as_ref().is_some_and(try_lock) {
            if let Some(running) = read::<Running>(&running_file(home, &key)) {
                end_marked(&running.run);
            }
            // What cannot be removed now is tried again by the next run.
            let _ = forget(home, &key);
        }
    }
}

fn try_lock(file: &File) -> bool {
    flock(file, FlockOperation::NonBlockingLockExclusive).is_ok()
}

/// What goes on at the moment, in all work trees or in one.
pub fn running(home: &Home, root: Option<&Path>) -> Vec<Running> {
    let all = keys(&home.gate_running()).into_iter();
    let meant = all.filter(|key| root.is_none_or(|root| *key == self::key(root)));
    let alive = meant.filter(|key| open_lock(home, key).is_ok_and(|file| !try_lock(&file)));
    alive
        .filter_map(|key| read(&running_file(home, &key)))
        .collect()
}

/// Forgets what has passed and what the person was told, in one work tree or in all, and says how many trees that were.
pub fn clear(home: &Home, root: Option<&Path>) -> usize {
    let told = keys(&home.gate_told()).into_iter();
    for key in told.filter(|key| root.is_none_or(|root| *key == self::key(root))) {
        // Whoever else removes it has done the same.
        let _ = std::fs::remove_file(home.gate_told().join(key));
    }
    Passes(home).clear(root)
}

/// What was found last in a work tree.
pub fn last(home: &Home, root: &Path) -> Option<Ended> {
    read(&ended_file(home, &key(root)))
}

impl Ended {
    pub(crate) fn new(root: &Path, tree: &str, rules: &str, report: Report) -> Self {
        Self {
            root: root.to_owned(),
            tree: tree.to_owned(),
            rules: rules.to_owned(),
            ended_ms: clock::wall_ms(),
            report,
        }
    }
}

fn names(folder: &Path) -> impl Iterator<Item = String> + use<> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok())
}

/// The work trees that a folder has something of.
fn keys(folder: &Path) -> BTreeSet<String> {
    names(folder)
        .filter_map(|name| key_of(&name).map(str::to_owned))
        .collect()
}

/// The key that a name begins with. A file that is being written has a point and more behind it.
fn key_of(name: &str) -> Option<&str> {
    let (key, rest) = name.split_at_checked(KEY)?;
    let is_key = key.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_key && (rest.is_empty() || rest.starts_with('.'))).then_some(key)
}

fn running_file(home: &Home, key: &str) -> PathBuf {
    home.gate_running().join(key)
}

fn ended_file(home: &Home, key: &str) -> PathBuf {
    home.gate_results().join(key)
}

fn read<T: DeserializeOwned>(file: &Path) -> Option<T> {
    serde_json::from_slice(&std::fs::read(file).ok()?).ok()
}

fn write(file: &Path, value: &impl Serialize) -> Result<(), GateError> {
    let text =
        serde_json::to_vec(value).map_err(|error| GateError::io("write", file)(error.into()))?;
    Ok(place::replace_private(file, &text)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Stop;

    fn home() -> (tempfile::TempDir, Home) {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        (folder, home)
    }

    fn alive(run: &str) -> Running {
        Running {
            run: run.to_owned(),
            pid: 1,
            root: "/p".into(),
            tree: "t".to_owned(),
            started_ms: 0,
            deadline_ms: None,
            place: "/p".into(),
            steps: Vec::new(),
        }
    }

    #[test]
    fn one_run_at_a_time_checks_a_work_tree() {
        let (_folder, home) = home();
        let root = Path::new("/p");
        let first = Repository::take(&home, root, &Limits::default()).unwrap();
        first.tell_running(&home, &alive("a"));
        assert_eq!(running(&home, Some(root)).len(), 1);
        assert_eq!(running(&home, Some(Path::new("/q"))), []);
        let soon = Limits::new(Some(Instant::now() + Duration::from_millis(40)), None);
        let second = Repository::take(&home, root, &soon).unwrap_err();
        assert!(matches!(second, GateError::Stopped(Stop::Late)), "{second}");
        drop(first);
        assert_eq!(running(&home, None), [], "a run that has died does not run");
        Repository::take(&home, root, &Limits::default()).unwrap();
    }

    #[test]
    fn what_dead_runs_left_is_removed_and_the_living_are_left_alone() {
        let (_folder, home) = home();
        let take =
            |root: &str| Repository::take(&home, Path::new(root), &Limits::default()).unwrap();
        let (dead, living, own) = (take("/dead"), take("/living"), take("/own"));
        for repository in [&dead, &living, &own] {
            std::fs::create_dir_all(repository.tree(&home).join("src")).unwrap();
            repository.tell_running(&home, &alive("no-such-run"));
        }
        let folders = [&dead, &living, &own].map(|repository| repository.tree(&home));
        drop(dead);
        forget_the_dead(&home, &own);
        assert_eq!(folders.map(|folder| folder.exists()), [false, true, false]);
    }

    /// A run may be killed between the writing of a file and its renaming.
    #[test]
    fn what_a_killed_run_was_just_writing_is_removed_too() {
        let (_folder, home) = home();
        let own = Repository::take(&home, Path::new("/p"), &Limits::default()).unwrap();
        own.tell_running(&home, &alive("a"));
        own.untold(&home, vec!["a tool is missing".to_owned()]);
        let key = own.key().to_owned();
        let half = |folder: &Path| folder.join(format!("{key}.1f2e3d4c5b6a7988"));
        let halves = [home.gate_running(), home.gate_results(), home.gate_told()];
        let halves = halves.map(|folder| half(&folder));
        for file in &halves {
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "{\"run\":").unwrap();
        }
        drop(own);
        assert_eq!(running(&home, None), [], "nobody runs");
        clear_away(&home, &key, "a").unwrap();
        assert!(halves.iter().all(|file| !file.exists()));
        assert!(!running_file(&home, &key).exists());
        assert!(home.gate_told().join(&key).exists(), "what was told stays");
        let locks: Vec<String> = names(&home.gate_locks()).collect();
        assert_eq!(locks, [key], "no lock is made for half a file");
    }

    #[test]
    fn a_line_is_told_once() {
        let (_folder, home) = home();
        let own = Repository::take(&home, Path::new("/p"), &Limits::default()).unwrap();
        let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        assert_eq!(own.untold(&home, lines(&["a", "b"])), ["a", "b"]);
        assert_eq!(own.untold(&home, lines(&["b", "c"])), ["c"]);
        assert_eq!(own.untold(&home, lines(&["a"])), [""; 0]);
    }

    #[test]
    fn only_a_key_names_a_folder_to_remove() {
        let (folder, home) = home();
        let outside = folder.path().join("outside");
        std::fs::create_dir_all(&outside).unwrap();
        for key in ["../../outside", "", "..", "/"] {
            clear_away(&home, key, "a").unwrap();
        }
        assert!(outside.exists());
    }

    #[test]
    fn whoever_has_no_lock_removes_nothing_of_a_run() {
        let (_folder, home) = home();
        let own = Repository::take(&home, Path::new("/p"), &Limits::default()).unwrap();
        let (key, tree) = (own.key().to_owned(), own.tree(&home));
        std::fs::create_dir_all(&tree).unwrap();
        own.tell_running(&home, &alive("another"));
        clear_away(&home, &key, "a").unwrap();
        assert!(tree.exists());
        std::thread::scope(|scope| {
            scope.spawn(|| clear_away(&home, &key, "another").unwrap());
            drop(own);
        });
        assert!(!tree.exists());
    }
}
