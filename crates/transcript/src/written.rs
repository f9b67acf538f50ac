//! A file that is written elsewhere first: whoever looks finds the old one or the whole new one. It is for its owner alone.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use crate::TranscriptError;

/// What files end in that are not finished; the number of the process that writes them stands before.
const UNFINISHED: &str = ".bellwether-unfinished";

pub(crate) struct Written {
    to: PathBuf,
    unfinished: PathBuf,
    file: Option<BufWriter<File>>,
}

impl Written {
    pub(crate) fn begin(to: &Path) -> Result<Self, TranscriptError> {
        let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        remove_left_over(folder);
        let name = to.file_name().unwrap_or_default().to_string_lossy();
        let unfinished = folder.join(format!(".{name}.{}{UNFINISHED}", std::process::id()));
        let _ = fs::remove_file(&unfinished);
        let file = File::options()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&unfinished)
            .map_err(|source| failed(to, source))?;
        Ok(Self {
            to: to.to_owned(),
            unfinished,
            file: Some(BufWriter::with_capacity(64 * 1024, file)),
        })
    }

    /// Puts the file in its place. Returns how long it is.
    pub(crate) fn finish(mut self) -> Result<u64, TranscriptError> {
        let finished = self.finished();
        finished.map_err(|source| failed(&self.to, source))
    }

    fn finished(&mut self) -> io::Result<u64> {
        let file = self.file.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        let length = file.metadata()?.len();
        fs::rename(&self.unfinished, &self.to)?;
        Ok(length)
    }
}

fn failed(path: &Path, source: io::Error) -> TranscriptError {
    TranscriptError::Write {
        path: path.to_owned(),
        source,
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let file = self.file.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        let file = self.file.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        file.flush()
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        // After the rename there is none.
        let _ = fs::remove_file(&self.unfinished);
    }
}

/// Removes what a process that was killed has left.
fn remove_left_over(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(begun) = name.to_str().and_then(|name| name.strip_suffix(UNFINISHED)) else {
            continue;
        };
        let writer = begun
            .rsplit_once('.')
            .and_then(|(_, pid)| pid.parse::<i32>().ok());
        let writer = writer.and_then(rustix::process::Pid::from_raw);
        let lives = |pid| rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH);
        if !writer.is_some_and(lives) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_old_file_stays_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.html");
        fs::write(&path, "old").unwrap();
        let mut written = Written::begin(&path).unwrap();
        written.write_all(b"half").unwrap();
        written.flush().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        drop(written);
        assert_eq!(names(folder.path()), ["a.html"]);
        let mut written = Written::begin(&path).unwrap();
        written.write_all(b"new").unwrap();
        assert_eq!(written.finish().unwrap(), 3);
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn what_a_killed_process_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let own = std::process::id();
        for name in [".a.html.999999999", ".b.html.x", &format!(".c.html.{own}")] {
            fs::write(folder.path().join(format!("{name}{UNFINISHED}")), "half").unwrap();
        }
        drop(Written::begin(&folder.path().join("d.html")).unwrap());
        assert_eq!(names(folder.path()), [format!(".c.html.{own}{UNFINISHED}")]);
        assert!(Written::begin(&folder.path().join("no/such.html")).is_err());
    }
}
