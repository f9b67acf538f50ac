//! The status file: read, and replaced so that it is the old or the new one at every moment.
//!
//! Whoever writes holds a lock on the folder. What a person has written by hand, or a merge has left, is named with its line
//! and never written over. Nobody waits for the disk: the death of a process loses nothing, a loss of power may cost the
//! last step.

mod archive;
mod complaints;
mod text;

use std::fs::{self, File, Metadata};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use crate::error::WorkflowError;
use crate::flow::Flow;
use crate::status::{Status, VERSION};
use complaints::complaints;
use text::text_of;

/// The folder of a project in which bellwether keeps what belongs to the project.
pub const FOLDER: &str = ".bellwether";
/// The file in it.
pub const NAME: &str = "workflow.json";
const NEW: &str = ".workflow.json.new";
const LARGEST: u64 = 4 << 20;
/// How long the lock is waited for at a time.
const PAUSE: Duration = Duration::from_millis(1);
/// How often somebody may write without our lock while we do.
const TRIES: usize = 3;
/// How a line begins that a merge has left.
const CONFLICT: [&str; 3] = ["<<<<<<<", "=======", ">>>>>>>"];

/// The status file of one project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusFile {
    folder: PathBuf,
    path: PathBuf,
}

/// What a file says.
#[derive(Debug)]
pub struct Opened {
    pub status: Status,
    /// What no program has written so.
    pub complaints: Vec<Complaint>,
}

/// Something in the file that no program has written so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Complaint {
    pub line: usize,
    /// The feature concerned.
    pub feature: Option<String>,
    pub text: String,
}

/// The contents, and how the file looked.
struct Contents {
    text: String,
    seen: Metadata,
}

impl StatusFile {
    pub fn of(project: &Path) -> Self {
        let folder = project.join(FOLDER);
        Self {
            path: folder.join(NAME),
            folder,
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the project has a workflow: one look at the disk.
    pub fn exists(&self) -> bool {
        rustix::fs::stat(&self.path).is_ok()
    }

    pub fn read(&self, flow: &Flow) -> Result<Opened, WorkflowError> {
        self.opened(&self.contents()?.text, flow)
    }

    /// Makes the file; `false` when there is one.
    pub fn create(&self, flow: &Flow) -> Result<bool, WorkflowError> {
        fs::create_dir_all(&self.folder)
            .map_err(|source| WorkflowError::io("create", &self.folder, source))?;
        let _lock = self.lock(Duration::from_secs(5))?;
        if fs::symlink_metadata(&self.path).is_ok() {
            return Ok(false);
        }
        self.replace(&Status::new(flow), None).map(|_| true)
    }

    /// Changes the status under the lock and returns what `change` does. Where nothing has changed nothing is written.
    /// With `mends` a complaint about that feature is no hindrance. `change` is called again when somebody has written the
    /// file without the lock.
    pub fn change<T>(
        &self,
        flow: &Flow,
        patience: Duration,
        mends: Option<&str>,
        mut change: impl FnMut(&mut Status) -> Result<T, WorkflowError>,
    ) -> Result<T, WorkflowError> {
        let _lock = self.lock(patience)?;
        for _ in 0..TRIES {
            let contents = self.contents()?;
            let opened = self.opened(&contents.text, flow)?;
            self.check(opened.complaints, mends)?;
            let mut status = opened.status.clone();
            let done = change(&mut status)?;
            if status == opened.status || self.replace(&status, Some(&contents.seen))? {
                return Ok(done);
            }
        }
        Err(WorkflowError::Busy {
            path: self.path.clone(),
        })
    }

    fn check(&self, complaints: Vec<Complaint>, mends: Option<&str>) -> Result<(), WorkflowError> {
        let is_mended =
            |complaint: &Complaint| mends.is_some() && complaint.feature.as_deref() == mends;
        match complaints.into_iter().find(|it| !is_mended(it)) {
            None => Ok(()),
            Some(complaint) => Err(WorkflowError::EditedByHand {
                path: self.path.clone(),
                complaint,
            }),
        }
    }

    fn lock(&self, patience: Duration) -> Result<File, WorkflowError> {
        let failed = |source| WorkflowError::io("lock", &self.folder, source);
        let folder = File::open(&self.folder).map_err(failed)?;
        let until = Instant::now() + patience;
        loop {
            match flock(&folder, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(folder),
                Err(Errno::WOULDBLOCK) if Instant::now() < until => std::thread::sleep(PAUSE),
                Err(Errno::WOULDBLOCK) => {
                    return Err(WorkflowError::Busy {
                        path: self.path.clone(),
                    });
                }
                Err(Errno::INTR) => {}
                Err(errno) => return Err(failed(errno.into())),
            }
        }
    }

    fn contents(&self) -> Result<Contents, WorkflowError> {
        let failed = |source| WorkflowError::io("read", &self.path, source);
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
        let file = File::options()
            .read(true)
            .custom_flags(i32::try_from(flags).unwrap_or_default())
            .open(&self.path)
            .map_err(failed)?;
        let seen = file.metadata().map_err(failed)?;
        let path = || self.path.clone();
        if !seen.is_file() {
            return Err(WorkflowError::NotAFile { path: path() });
        }
        if seen.len() > LARGEST {
            let bytes = seen.len();
            return Err(WorkflowError::TooLarge {
                path: path(),
                bytes,
            });
        }
        let mut bytes = Vec::with_capacity(usize::try_from(seen.len()).unwrap_or_default() + 1);
        file.take(LARGEST).read_to_end(&mut bytes).map_err(failed)?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let bytes = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            WorkflowError::Broken {
                path: path(),
                line: bytes.split(|byte| *byte == b'\n').count(),
                column: 1,
                why: "this is not UTF-8".to_owned(),
            }
        })?;
        Ok(Contents { text, seen })
    }

    fn opened(&self, text: &str, flow: &Flow) -> Result<Opened, WorkflowError> {
        let status: Status =
            serde_json::from_str(text).map_err(|error| self.broken(text, &error))?;
        if status.version != VERSION {
            return Err(WorkflowError::Newer {
                path: self.path.clone(),
                version: status.version,
            });
        }
        let complaints = complaints(&status, text, flow);
        Ok(Opened { status, complaints })
    }

    fn broken(&self, text: &str, error: &serde_json::Error) -> WorkflowError {
        let path = self.path.clone();
        if let Ok(Versioned { version }) = serde_json::from_str(text)
            && version > VERSION
        {
            return WorkflowError::Newer { path, version };
        }
        let is_left = |line: &str| CONFLICT.iter().any(|mark| line.starts_with(mark));
        if let Some(place) = text.lines().position(is_left) {
            let line = place + 1;
            return WorkflowError::Conflict { path, line };
        }
        let said = error.to_string();
        let why = said.split(" at line ").next().unwrap_or_default();
        WorkflowError::Broken {
            path,
            line: error.line(),
            column: error.column(),
            why: why.to_owned(),
        }
    }

    /// Puts a new text in place of the old one; `false` when the file is no longer the one that was read.
    fn replace(&self, status: &Status, old: Option<&Metadata>) -> Result<bool, WorkflowError> {
        let new = self.folder.join(NEW);
        let text = text_of(status).map_err(|error| {
            WorkflowError::io("write", &self.path, std::io::Error::other(error))
        })?;
        let mode = old.map_or(0o644, |seen| seen.permissions().mode() & 0o777);
        let written = write_new(&new, &text, mode)
            .map_err(|source| WorkflowError::io("write", &new, source))
            .and_then(|()| self.put(&new, old));
        if !matches!(written, Ok(true)) {
            // What is left of it would only puzzle people.
            let _ = fs::remove_file(&new);
        }
        written
    }

    fn put(&self, new: &Path, old: Option<&Metadata>) -> Result<bool, WorkflowError> {
        let now = fs::symlink_metadata(&self.path).ok();
        if now.as_ref().map(look) != old.map(look) {
            return Ok(false);
        }
        fs::rename(new, &self.path)
            .map_err(|source| WorkflowError::io("replace", &self.path, source))?;
        Ok(true)
    }
}

/// What tells one state of a file from another.
fn look(seen: &Metadata) -> (u64, u64, i64, i64) {
    (seen.ino(), seen.size(), seen.ctime(), seen.ctime_nsec())
}

/// Whatever a killed process left there goes first.
fn write_new(new: &Path, text: &str, mode: u32) -> std::io::Result<()> {
    match fs::remove_file(new) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = File::options()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(new)?;
    file.write_all(text.as_bytes())
}

/// All that is read of a file that this program may not understand.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

#[cfg(test)]
mod tests;
