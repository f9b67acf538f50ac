//! The client's folder of transcripts. A path in a payload is foreign: only a regular file of this
//! user below that folder is opened, no link is followed and no pipe waited for.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use bellwether_spine::meta;
use rustix::fs::{CWD, Mode, OFlags};

use crate::{Ending, TranscriptError, Whose};

/// How many names in a folder are looked at.
const NAMES: usize = 10_000;

/// The folders that transcripts may be in.
#[derive(Debug, Clone)]
pub struct Projects(Vec<PathBuf>);

impl Projects {
    /// Those of this user, by the environment of this process.
    pub fn of_user() -> Self {
        let named = meta::variable("CLAUDE_CONFIG_DIR").map(PathBuf::from);
        let usual = meta::variable("HOME").map(|home| PathBuf::from(home).join(".claude"));
        let folders = named.into_iter().chain(usual);
        Self(folders.map(|folder| folder.join("projects")).collect())
    }

    /// The folder of these that a path is in.
    pub fn folder_of(&self, path: &Path) -> Option<&Path> {
        let mut folders = self.0.iter().map(PathBuf::as_path);
        folders.find(|folder| path.starts_with(folder))
    }

    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self(vec![folder.into()])
    }

    /// How a transcript that a payload names ends.
    pub fn ending(&self, path: &Path, whose: Whose) -> Result<Option<Ending>, TranscriptError> {
        Ending::of_file(&self.open(path)?, path, whose)
    }

    /// Opens a transcript that a payload names.
    pub fn open(&self, path: &Path) -> Result<File, TranscriptError> {
        if path.extension() != Some(OsStr::new("jsonl")) {
            return Err(TranscriptError::foreign(
                path,
                "it is no transcript by its name",
            ));
        }
        self.open_inside(path)
    }

    /// The text of a small file beside transcripts; `None` when there is no such, or it is larger.
    pub(crate) fn small(&self, path: &Path, most: u64) -> Option<String> {
        let file = self.open_inside(path).ok()?;
        (file.metadata().ok()?.len() <= most).then_some(())?;
        let mut text = String::new();
        file.take(most).read_to_string(&mut text).ok()?;
        Some(text)
    }

    /// The names in a folder, if it is one of ours.
    pub(crate) fn names_in(&self, folder: &Path) -> Vec<String> {
        let is_inside = self.0.iter().any(|root| folder.starts_with(root));
        let found = if is_inside { names(folder) } else { Vec::new() };
        let text = found.into_iter().filter_map(|name| name.into_string().ok());
        text.collect()
    }

    fn open_inside(&self, path: &Path) -> Result<File, TranscriptError> {
        let foreign = |why| TranscriptError::foreign(path, why);
        let inside = self
            .0
            .iter()
            .find_map(|folder| Some((folder, path.strip_prefix(folder).ok()?)));
        let Some((folder, rest)) = inside else {
            return Err(foreign("it is not in the client's folder of transcripts"));
        };
        let mut names = Vec::new();
        for part in rest.components() {
            let Component::Normal(name) = part else {
                return Err(foreign("its path leads back"));
            };
            names.push(name);
        }
        let file = walk(folder, &names).map_err(TranscriptError::io(path))?;
        let seen = regular(&file, path)?;
        if seen.uid() != rustix::process::getuid().as_raw() {
            return Err(foreign("it belongs to somebody else"));
        }
        Ok(file)
    }

    /// The transcripts of sessions that were changed last, newest first, of the folder that the client uses.
    pub fn newest(&self, count: usize) -> Vec<File> {
        let mut newest: Vec<(SystemTime, File)> = Vec::new();
        for path in self.sessions() {
            let Ok(file) = self.open(&path) else { continue };
            let Ok(changed) = file.metadata().and_then(|seen| seen.modified()) else {
                continue;
            };
            let at = newest.partition_point(|(other, _)| *other >= changed);
            newest.insert(at, (changed, file));
            newest.truncate(count);
        }
        newest.into_iter().map(|(_, file)| file).collect()
    }

    /// The folders of projects.
    pub(crate) fn project_folders(&self) -> impl Iterator<Item = PathBuf> {
        let roots = self.0.iter();
        roots.flat_map(|root| names(root).into_iter().map(|name| root.join(name)))
    }

    /// What may be the transcript of a session, by its path.
    fn sessions(&self) -> impl Iterator<Item = PathBuf> {
        let root = self.0.first().into_iter();
        let folders = root.flat_map(|root| names(root).into_iter().map(|name| root.join(name)));
        folders.flat_map(|folder| {
            names(&folder)
                .into_iter()
                .map(move |name| folder.join(name))
        })
    }
}

/// Opens what the person has named: a regular file, wherever it stands.
pub(crate) fn open_regular(path: &Path) -> Result<File, TranscriptError> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = open(CWD, path.as_os_str(), flags).map_err(TranscriptError::io(path))?;
    let file = File::from(file);
    regular(&file, path)?;
    Ok(file)
}

fn regular(file: &File, path: &Path) -> Result<Metadata, TranscriptError> {
    let seen = file.metadata().map_err(TranscriptError::io(path))?;
    if !seen.is_file() {
        return Err(TranscriptError::foreign(path, "it is no regular file"));
    }
    Ok(seen)
}

fn names(folder: &Path) -> Vec<OsString> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.take(NAMES).map(|entry| entry.file_name()).collect()
}

/// Opens a file below a folder, one name after the other. The folder itself may be reached by a
/// link: where it stands is the person's own affair.
fn walk(folder: &Path, names: &[&OsStr]) -> io::Result<File> {
    const FOLDER: OFlags = OFlags::RDONLY
        .union(OFlags::DIRECTORY)
        .union(OFlags::CLOEXEC);
    let Some((name, folders)) = names.split_last() else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let mut at = open(CWD, folder.as_os_str(), FOLDER)?;
    for folder in folders {
        at = open(&at, folder, FOLDER | OFlags::NOFOLLOW)?;
    }
    let flags =
        OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(File::from(open(&at, name, flags)?))
}

fn open(above: impl AsFd, name: &OsStr, flags: OFlags) -> io::Result<OwnedFd> {
    Ok(rustix::fs::openat(above, name, flags, Mode::empty())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"type":"assistant","message":{"content":"Done."}}"#;

    fn folder() -> (tempfile::TempDir, Projects) {
        let folder = tempfile::tempdir().unwrap();
        let projects = folder.path().join("projects");
        std::fs::create_dir_all(projects.join("-p/s/subagents")).unwrap();
        std::fs::write(projects.join("-p/s.jsonl"), LINE).unwrap();
        std::fs::write(projects.join("-p/s/subagents/agent-1.jsonl"), LINE).unwrap();
        std::fs::write(folder.path().join("other.jsonl"), LINE).unwrap();
        (folder, Projects::at(projects))
    }

    #[test]
    fn transcripts_of_sessions_and_subagents_are_read() {
        let (folder, projects) = folder();
        let root = folder.path().join("projects");
        for name in ["-p/s.jsonl", "-p/s/subagents/agent-1.jsonl"] {
            let path = root.join(name);
            let end = projects.ending(&path, Whose::of(&path)).unwrap().unwrap();
            assert_eq!(end.last.text.as_deref(), Some("Done."), "{name}");
        }
    }

    #[test]
    fn nothing_else_is_opened() {
        let (folder, projects) = folder();
        let root = folder.path().join("projects");
        std::os::unix::fs::symlink(
            folder.path().join("other.jsonl"),
            root.join("-p/link.jsonl"),
        )
        .unwrap();
        std::os::unix::fs::symlink(folder.path(), root.join("up")).unwrap();
        std::fs::create_dir(root.join("-p/folder.jsonl")).unwrap();
        let pipe = root.join("-p/pipe.jsonl");
        rustix::fs::mknodat(CWD, &pipe, rustix::fs::FileType::Fifo, Mode::RWXU, 0).unwrap();
        for path in [
            folder.path().join("other.jsonl"),
            root.join("../other.jsonl"),
            root.join("up/other.jsonl"),
            root.join("-p/link.jsonl"),
            root.join("-p/folder.jsonl"),
            root.join("-p/none.jsonl"),
            root.join("-p/s"),
            root.clone(),
            "-p/s.jsonl".into(),
            pipe,
        ] {
            assert!(projects.open(&path).is_err(), "{}", path.display());
        }
    }
}
