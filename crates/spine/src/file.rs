//! How a settings file is read, and replaced so that it is the old or the new one at every moment.
//!
//! The new text goes into a file beside it, is on the disk before it takes the name, and takes
//! owner and mode along. Whoever else edits with us waits at a lock on the folder; whoever does not
//! (the client itself) is noticed by the file's stamp.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, fchown,
};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, Mode, OFlags};

/// Settings have kilobytes; what is larger than this is something else.
const LARGEST: u64 = 8 << 20;
/// Files and folders that we create are for their owner alone.
const PRIVATE_FILE: u32 = 0o600;
const PRIVATE_FOLDER: u32 = 0o700;
/// But for those that every user of the machine reads.
const PUBLIC_FILE: u32 = 0o644;
/// How long another installer is waited for: it takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why a settings file cannot be read or replaced.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system said no.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// What was attempted, as a verb.
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    /// Replacing a link would cut it off from what it points to.
    #[error("{} is a symlink, which is not replaced; to change the file it points to, add: --settings '{}'", path.display(), target.display())]
    Symlink { path: PathBuf, target: PathBuf },
    /// A folder, a pipe, a device.
    #[error("{} is not a regular file", path.display())]
    NotAFile { path: PathBuf },
    /// Not a settings file by its size.
    #[error("{} has {bytes} bytes; settings have a few thousand, so this is left alone", path.display())]
    TooLarge { path: PathBuf, bytes: u64 },
    /// Not a text.
    #[error("{} is not UTF-8: byte {offset} cannot be read", path.display())]
    NotUtf8 {
        path: PathBuf,
        /// The first byte that is wrong, counted from 0.
        offset: usize,
    },
    /// Somebody took the right to write away, and will have had a reason.
    #[error("{} is read-only; allow writing with: chmod u+w '{}'", path.display(), path.display())]
    ReadOnly {
        /// The file or its folder.
        path: PathBuf,
    },
    /// Somebody else wrote at the same time.
    #[error("{} was changed by another program meanwhile; nothing was written, try again", path.display())]
    Changed { path: PathBuf },
}

type Result<T, E = FileError> = std::result::Result<T, E>;

fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FileError {
    let path = path.to_owned();
    move |source| FileError::Io {
        action,
        path,
        source,
    }
}

/// A settings file that exists.
#[derive(Debug)]
pub struct Content {
    /// The text, byte for byte.
    pub text: String,
    metadata: Metadata,
}

/// Reads a settings file; `None` when there is none.
pub fn read(path: &Path) -> Result<Option<Content>> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io_error("read", path)(error)),
    };
    if metadata.is_symlink() {
        let link = fs::read_link(path).map_err(io_error("read", path))?;
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.with_file_name(link));
        return Err(FileError::Symlink {
            path: path.to_owned(),
            target,
        });
    }
    if !metadata.is_file() {
        return Err(FileError::NotAFile {
            path: path.to_owned(),
        });
    }
    if metadata.len() > LARGEST {
        return Err(FileError::TooLarge {
            path: path.to_owned(),
            bytes: metadata.len(),
        });
    }
    read_text(path).map(Some)
}

fn read_text(path: &Path) -> Result<Content> {
    let no_follow = i32::try_from(OFlags::NOFOLLOW.bits()).unwrap_or_default();
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(no_follow)
        .open(path);
    let file = file.map_err(io_error("read", path))?;
    let metadata = file.metadata().map_err(io_error("read", path))?;
    let mut bytes = Vec::new();
    file.take(LARGEST)
        .read_to_end(&mut bytes)
        .map_err(io_error("read", path))?;
    let text = String::from_utf8(bytes).map_err(|error| FileError::NotUtf8 {
        path: path.to_owned(),
        offset: error.utf8_error().valid_up_to(),
    })?;
    Ok(Content { text, metadata })
}

/// A settings file under our lock, to be replaced.
#[derive(Debug)]
pub struct Editing {
    path: PathBuf,
    folder: PathBuf,
    content: Option<Content>,
    /// Who may read a file that was not there before.
    mode: u32,
    /// Held until the change is done.
    _lock: Option<OwnedFd>,
}

impl Editing {
    /// Locks the folder, creating it if need be, and reads the file.
    pub fn begin(path: &Path) -> Result<Self> {
        let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
        let create = fs::DirBuilder::new()
            .recursive(true)
            .mode(PRIVATE_FOLDER)
            .create(&folder);
        create.map_err(io_error("create", &folder))?;
        let lock = lock(&folder)?;
        let content = read(path)?;
        Ok(Self {
            path: path.to_owned(),
            folder,
            content,
            mode: PRIVATE_FILE,
            _lock: lock,
        })
    }

    /// The same for a file that all users of the machine read.
    #[must_use]
    pub fn for_all(self) -> Self {
        Self {
            mode: PUBLIC_FILE,
            ..self
        }
    }

    /// The text as it is; `None` when there is no file.
    pub fn text(&self) -> Option<&str> {
        self.content.as_ref().map(|content| content.text.as_str())
    }

    /// Puts a new text in place of the old.
    pub fn replace(self, text: &str) -> Result<()> {
        self.check_writable()?;
        self.write(&self.path, text)
    }

    pub fn delete(self) -> Result<()> {
        self.check_writable()?;
        self.check_unchanged()?;
        fs::remove_file(&self.path).map_err(io_error("remove", &self.path))?;
        self.sync_folder()
    }

    /// Keeps the text as it is beside the file. Where there is no file a backup of an earlier one may be
    /// the last copy of it: it gets another name, so that nobody takes it for what was there now.
    pub fn keep_backup(&self) -> Result<()> {
        match self.text() {
            Some(text) => {
                self.check_writable()?;
                self.write(&backup(&self.path), text)
            }
            None => set_aside(&backup(&self.path)),
        }
    }

    fn write(&self, path: &Path, text: &str) -> Result<()> {
        let new = beside(&self.path, "bellwether-new");
        let written = self.write_new(&new, text).and_then(|()| {
            self.check_unchanged()?;
            fs::rename(&new, path).map_err(io_error("replace", path))
        });
        if written.is_err() {
            let _ = fs::remove_file(&new);
        }
        written.and_then(|()| self.sync_folder())
    }

    /// Writes a file beside the real one. What a killed installer left there is taken away first.
    fn write_new(&self, new: &Path, text: &str) -> Result<()> {
        remove_if_there(new)?;
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(PRIVATE_FILE)
            .open(new);
        let mut file = file.map_err(io_error("create", new))?;
        if let Some(content) = &self.content {
            keep_owner(&file, &content.metadata)
                .map_err(io_error("keep the owner and mode of", &self.path))?;
        } else {
            // Whatever the umask says.
            file.set_permissions(fs::Permissions::from_mode(self.mode))
                .map_err(io_error("create", new))?;
        }
        let written = file
            .write_all(text.as_bytes())
            .and_then(|()| file.sync_all());
        written.map_err(io_error("write", new))
    }

    fn check_writable(&self) -> Result<()> {
        let folder = fs::metadata(&self.folder).map_err(io_error("read", &self.folder))?;
        let file = self
            .content
            .as_ref()
            .map(|content| (&self.path, &content.metadata));
        for (path, metadata) in std::iter::once((&self.folder, &folder)).chain(file) {
            // The owner's bit counts for root too: it says what somebody wants.
            if metadata.mode() & 0o200 == 0 {
                return Err(FileError::ReadOnly { path: path.clone() });
            }
        }
        Ok(())
    }

    fn check_unchanged(&self) -> Result<()> {
        let now = fs::symlink_metadata(&self.path).ok();
        let then = self.content.as_ref().map(|content| &content.metadata);
        if now.as_ref().map(stamp) == then.map(stamp) {
            return Ok(());
        }
        Err(FileError::Changed {
            path: self.path.clone(),
        })
    }

    /// Makes the new name as durable as the new text.
    fn sync_folder(&self) -> Result<()> {
        let folder = File::open(&self.folder).and_then(|folder| folder.sync_all());
        folder.map_err(io_error("write", &self.folder))
    }
}

/// What tells one state of a file from another.
fn stamp(metadata: &Metadata) -> (u64, u64, u64, i64, i64) {
    (
        metadata.dev(),
        metadata.ino(),
        metadata.len(),
        metadata.ctime(),
        metadata.ctime_nsec(),
    )
}

fn keep_owner(file: &File, old: &Metadata) -> io::Result<()> {
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        fchown(file, Some(old.uid()), Some(old.gid()))?;
    }
    file.set_permissions(fs::Permissions::from_mode(old.mode() & 0o7777))
}

/// The lock on a folder. Where the file system has none, the stamp has to do.
fn lock(folder: &Path) -> Result<Option<OwnedFd>> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let fd = rustix::fs::open(folder, flags, Mode::empty())
        .map_err(|error| io_error("open", folder)(error.into()))?;
    let until = Instant::now() + PATIENCE;
    loop {
        match rustix::fs::flock(&fd, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(Some(fd)),
            Err(rustix::io::Errno::WOULDBLOCK) if Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(error @ rustix::io::Errno::WOULDBLOCK) => {
                return Err(io_error("lock", folder)(error.into()));
            }
            Err(_) => return Ok(None),
        }
    }
}

/// Where the text before us is kept.
pub fn backup(path: &Path) -> PathBuf {
    beside(path, "bellwether-backup")
}

/// The text before us, if it was kept.
pub fn read_backup(path: &Path) -> Option<String> {
    read(&backup(path))
        .ok()
        .flatten()
        .map(|content| content.text)
}

/// Takes away what we keep beside the file.
pub fn remove_traces(path: &Path) -> Result<()> {
    remove_if_there(&backup(path))?;
    remove_if_there(&beside(path, "bellwether-new"))
}

/// Gives a file another name, if it is there.
fn set_aside(path: &Path) -> Result<()> {
    match fs::rename(path, beside(path, "old")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(io_error("rename", path)(error))
        }
        _ => Ok(()),
    }
}

fn remove_if_there(path: &Path) -> Result<()> {
    // A disk that takes no writes refuses this even where there is nothing to remove.
    if fs::symlink_metadata(path).is_ok() {
        fs::remove_file(path).map_err(io_error("remove", path))?;
    }
    Ok(())
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(suffix);
    path.with_file_name(name)
}
