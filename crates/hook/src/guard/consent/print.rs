//! A hash of what a question is about and of the state of what it rests on.
//!
//! Invariants: nothing is changed and nothing of a project is run by looking. Past its bounds there is no print, and the
//! question is asked.

use std::fs::{self, Metadata};
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bellwether_shell::git::Site;
use bellwether_spine::digest::sha256;
use serde::{Deserialize, Serialize};

use super::super::repository::disk::folders_of;
use super::super::repository::{BUDGET, Git};
use super::rests::{Rests, Thing, Unsure};

/// More files and folders than this are not looked at.
const MOST_ENTRIES: usize = 4096;
/// More than this of texts is not read.
const MOST_BYTES: u64 = 1024 * 1024;
/// How long looking may take, beside git.
const PATIENCE: Duration = Duration::from_millis(100);

/// What of a repository names commits, or decides what a name means.
const REFS: [&str; 5] = ["HEAD", "packed-refs", "refs", "reftable", "MERGE_HEAD"];
/// What decides what git does.
const SETTINGS: [&str; 3] = ["config", "config.worktree", "info"];

/// A hash: equal where the effect and all that it rests on are the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Print(String);

impl Print {
    /// Looks at what a question rests on; `user` is the person's home.
    pub fn of(rests: &Rests, user: Option<&Path>) -> Result<Self, Unsure> {
        let mut look = Look {
            seen: rests.told.clone().into_bytes(),
            entries: 0,
            bytes: 0,
            until: Instant::now() + PATIENCE + BUDGET,
            git: Git::new(user.map(Path::to_owned), BUDGET),
        };
        for thing in &rests.things {
            look.at(thing)?;
        }
        Ok(Self(sha256(&look.seen)))
    }

    /// A name for a file.
    pub(super) fn name(&self) -> &str {
        &self.0[..self.0.len().min(32)]
    }
}

/// What was seen so far.
struct Look {
    seen: Vec<u8>,
    entries: usize,
    bytes: u64,
    until: Instant,
    git: Git,
}

impl Look {
    fn at(&mut self, thing: &Thing) -> Result<(), Unsure> {
        match thing {
            Thing::Tree(path) => self.tree(path),
            Thing::Led(path) => {
                self.tree(path)?;
                match path.canonicalize() {
                    Ok(real) if real != *path => self.tree(&real),
                    _ => Ok(()),
                }
            }
            Thing::Entry(path) => self.by_itself(path),
            Thing::Files(folder) => self.files(folder),
            Thing::Code(path) => self.code(path),
            Thing::Refs(site) => self.refs(site),
            Thing::Logs(site) => {
                let (git_dir, common) = folders(site)?;
                self.tree(&git_dir.join("logs"))?;
                self.tree(&common.join("logs"))
            }
            Thing::Changes { site, ignored } => self.changes(site, *ignored),
        }
    }

    fn see(&mut self, bytes: &[u8]) {
        // With its length, so that no two rows of things look alike.
        self.seen.extend_from_slice(&bytes.len().to_le_bytes());
        self.seen.extend_from_slice(bytes);
    }

    fn numbers(&mut self, numbers: &[u64]) {
        for number in numbers {
            self.seen.extend_from_slice(&number.to_le_bytes());
        }
    }

    fn count(&mut self) -> Result<(), Unsure> {
        self.entries += 1;
        if self.entries > MOST_ENTRIES || Instant::now() > self.until {
            return Err(Unsure::TOO_MUCH);
        }
        Ok(())
    }

    /// What stands at a path and below it. Where its folders lead counts too.
    fn tree(&mut self, path: &Path) -> Result<(), Unsure> {
        let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
        self.see(folder.unwrap_or_default().as_os_str().as_bytes());
        let mut open = vec![path.to_owned()];
        while let Some(path) = open.pop() {
            self.count()?;
            self.see(path.as_os_str().as_bytes());
            let Ok(found) = path.symlink_metadata() else {
                self.see(b"missing");
                continue;
            };
            self.state(&path, &found);
            if found.is_dir() {
                open.extend(names(&path)?);
            }
        }
        Ok(())
    }

    /// All that tells one state of a file or folder from another.
    fn state(&mut self, path: &Path, found: &Metadata) {
        let kind = found.file_type();
        self.numbers(&[
            found.dev(),
            found.ino(),
            found.mode().into(),
            found.uid().into(),
        ]);
        // What a device is does not change by being written to.
        if kind.is_char_device() || kind.is_block_device() || kind.is_fifo() || kind.is_socket() {
            self.numbers(&[found.rdev()]);
            return;
        }
        let times = [
            found.mtime(),
            found.mtime_nsec(),
            found.ctime(),
            found.ctime_nsec(),
        ];
        self.numbers(&times.map(i64::cast_unsigned));
        self.numbers(&[found.len()]);
        if kind.is_symlink() {
            let to = fs::read_link(path).unwrap_or_default();
            self.see(to.as_os_str().as_bytes());
        }
    }

    /// A path by itself, as it is and as it leads.
    fn by_itself(&mut self, path: &Path) -> Result<(), Unsure> {
        self.count()?;
        let Ok(found) = path.metadata() else {
            return Ok(());
        };
        let real = path.canonicalize().unwrap_or_default();
        self.see(real.as_os_str().as_bytes());
        if found.is_dir() {
            self.numbers(&[found.dev(), found.ino()]);
        } else {
            self.state(path, &found);
        }
        Ok(())
    }

    fn files(&mut self, folder: &Path) -> Result<(), Unsure> {
        for path in names(folder)? {
            self.see(path.as_os_str().as_bytes());
            self.by_itself(&path)?;
        }
        Ok(())
    }

    /// The text of a file with code; who has copied it away and back has not changed it.
    fn code(&mut self, path: &Path) -> Result<(), Unsure> {
        self.count()?;
        let unread = Unsure("its code cannot be read");
        let file = fs::File::options()
            .read(true)
            .custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed())
            .open(path)
            .map_err(|_| unread)?;
        let found = file.metadata().map_err(|_| unread)?;
        self.bytes += found.len();
        if !found.is_file() || self.bytes > MOST_BYTES {
            return Err(Unsure::TOO_MUCH);
        }
        let mut text = Vec::new();
        file.take(MOST_BYTES)
            .read_to_end(&mut text)
            .map_err(|_| unread)?;
        self.see(path.as_os_str().as_bytes());
        self.see(sha256(&text).as_bytes());
        Ok(())
    }

    fn refs(&mut self, site: &Site) -> Result<(), Unsure> {
        let (git_dir, common) = folders(site)?;
        for name in REFS.into_iter().chain(SETTINGS) {
            self.tree(&common.join(name))?;
            if git_dir != common {
                self.tree(&git_dir.join(name))?;
            }
        }
        Ok(())
    }

    fn changes(&mut self, site: &Site, ignored: bool) -> Result<(), Unsure> {
        let standing = self.git.standing(site, ignored);
        let standing = standing.map_err(|_| Unsure("git does not say what would be lost"))?;
        self.see(&standing.told);
        for path in &standing.files {
            self.tree(path)?;
        }
        Ok(())
    }
}

fn folders(site: &Site) -> Result<(PathBuf, PathBuf), Unsure> {
    folders_of(site).ok_or(Unsure("its repository was not found"))
}

/// What is in a folder, in an order that does not depend on the disk.
fn names(folder: &Path) -> Result<Vec<PathBuf>, Unsure> {
    let unread = Unsure("not all of it can be looked at");
    let entries = fs::read_dir(folder).map_err(|_| unread)?;
    // One more than may be looked at, so that too many are noticed.
    let entries = entries.take(MOST_ENTRIES + 1);
    let paths: Result<Vec<PathBuf>, std::io::Error> =
        entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.map_err(|_| unread)?;
    paths.sort();
    Ok(paths)
}
