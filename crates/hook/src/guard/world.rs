//! This machine, as the analysis of a command may ask about it.

use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use bellwether_shell::git::Site;
use bellwether_shell::world::{MOST_BYTES, MOST_NAMES};
use bellwether_shell::{Entry, Unreadable, World};

use super::machine;
use super::repository::Repository;
use super::timer::{Clock, OWN_END};

pub(super) struct Machine<'a> {
    pub home: Option<&'a Path>,
    /// Says when it is time for an answer.
    pub clock: Clock,
    pub repository: &'a dyn Repository,
}

impl World for Machine<'_> {
    fn variable(&self, name: &str) -> Option<String> {
        if name == "HOME" {
            return self.home.map(|home| home.display().to_string());
        }
        // The agent's shell has the environment that the client gives to us too.
        std::env::var(name).ok()
    }

    fn home_of(&self, user: &str) -> Option<PathBuf> {
        let users = fs::read_to_string("/etc/passwd").ok()?;
        users.lines().find_map(|line| {
            let mut fields = line.split(':');
            (fields.next() == Some(user)).then_some(())?;
            fields.nth(4).map(PathBuf::from)
        })
    }

    fn look(&self, path: &Path) -> Entry {
        let Ok(found) = path.symlink_metadata() else {
            return Entry::Missing;
        };
        let kind = found.file_type();
        if kind.is_file() {
            Entry::File
        } else if kind.is_dir() {
            Entry::Folder
        } else if kind.is_symlink() {
            Entry::Link
        } else if kind.is_block_device() || kind.is_char_device() {
            Entry::Device
        } else {
            Entry::Other
        }
    }

    fn real(&self, path: &Path) -> Option<PathBuf> {
        machine::real(path)
    }

    fn names(&self, folder: &Path) -> Vec<String> {
        let Ok(entries) = fs::read_dir(folder) else {
            return Vec::new();
        };
        entries
            .take(MOST_NAMES)
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect()
    }

    fn read(&self, path: &Path) -> Result<String, Unreadable> {
        // A pipe must not hold us: it is opened without waiting, and looked at before it is read.
        let file = File::options()
            .read(true)
            .custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed())
            .open(path)
            .map_err(|error| match error.kind() {
                std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => {
                    Unreadable::Missing
                }
                _ => Unreadable::Refused,
            })?;
        let found = file.metadata().map_err(|_| Unreadable::Refused)?;
        if !found.is_file() {
            return Err(Unreadable::Irregular);
        }
        let mut start = [0; 4];
        let length = (&file).read(&mut start).map_err(|_| Unreadable::Refused)?;
        if start[..length].starts_with(b"\x7fELF") || start[..length].contains(&0) {
            return Err(Unreadable::Binary);
        }
        if found.len() > MOST_BYTES {
            return Err(Unreadable::TooLong);
        }
        let mut bytes = Vec::with_capacity(usize::try_from(found.len()).unwrap_or_default() + 1);
        bytes.extend_from_slice(&start[..length]);
        file.take(MOST_BYTES)
            .read_to_end(&mut bytes)
            .map_err(|_| Unreadable::Refused)?;
        if bytes.contains(&0) {
            return Err(Unreadable::Binary);
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn port(&self) -> Option<u16> {
        Some(bellwether_spine::PORT)
    }

    fn process(&self, number: u32) -> Option<String> {
        let name = fs::read_to_string(format!("/proc/{number}/comm")).ok()?;
        Some(name.trim_end().to_owned())
    }

    fn git_alias(&self, folder: &Path, name: &str) -> Option<String> {
        let key = format!("alias.{name}");
        self.repository.setting(&Site::of(folder), &key).ok()?
    }

    fn is_half_gone(&self) -> bool {
        self.clock.is_past(OWN_END / 2)
    }

    fn is_late(&self) -> bool {
        self.clock.is_past(OWN_END)
    }
}
