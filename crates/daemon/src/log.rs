//! The daemon's log: one file, moved aside when it is long, so that it never fills a disk.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use bellwether_spine::SpineError;
use tracing_subscriber::fmt;

/// A file is moved aside at this length.
const LONGEST: u64 = 1024 * 1024;
/// How many files there are in all.
const FILES: u32 = 3;

/// Sends what is logged to `path`, and to stderr when a person watches.
pub(crate) fn start(path: &Path) -> Result<(), SpineError> {
    let log = Rotating::open(path.to_owned(), LONGEST)
        .map_err(|source| SpineError::io("open", path, source))?;
    let subscriber = fmt()
        .with_writer(Mutex::new(log))
        .with_ansi(false)
        .with_target(false)
        .finish();
    // A second daemon in one process (in tests) goes on with the first one's log.
    let _ = tracing::subscriber::set_global_default(subscriber);
    Ok(())
}

struct Rotating {
    path: PathBuf,
    file: File,
    length: u64,
    longest: u64,
    watched: bool,
}

impl Rotating {
    fn open(path: PathBuf, longest: u64) -> io::Result<Self> {
        let file = File::options()
            .create(true)
            .append(true)
            .mode(0o600)
            .open(&path)?;
        let length = file.metadata()?.len();
        let watched = io::IsTerminal::is_terminal(&io::stderr());
        Ok(Self {
            path,
            file,
            length,
            longest,
            watched,
        })
    }

    /// `daemon.log` becomes `daemon.log.1`, that becomes `daemon.log.2`, and the last one goes.
    fn rotate(&mut self) -> io::Result<()> {
        let name = |number: u32| match number {
            0 => self.path.clone(),
            _ => PathBuf::from(format!("{}.{number}", self.path.display())),
        };
        for number in (0..FILES - 1).rev() {
            match std::fs::rename(name(number), name(number + 1)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        *self = Self::open(self.path.clone(), self.longest)?;
        Ok(())
    }
}

impl Write for Rotating {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.length >= self.longest {
            self.rotate()?;
        }
        self.length += line.len() as u64;
        if self.watched {
            io::stderr().write_all(line)?;
        }
        self.file.write(line)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_logs_are_moved_aside_and_the_last_goes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("daemon.log");
        let mut log = Rotating::open(path.clone(), 10).unwrap();
        for number in 0..9 {
            log.write_all(format!("line number {number}\n").as_bytes())
                .unwrap();
        }
        let mut files: Vec<_> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        assert_eq!(files, ["daemon.log", "daemon.log.1", "daemon.log.2"]);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "line number 8\n");
    }
}
