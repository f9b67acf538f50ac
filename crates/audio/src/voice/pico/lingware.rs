//! What Pico knows of each language, as bytes inside this program.

use std::io;
#[cfg(target_os = "linux")]
use std::io::Write as _;
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// One language: how its text is read, and how it sounds.
pub(in crate::voice) struct Lingware {
    /// Which language, as `en-US`.
    pub language: &'static str,
    pub analysis: &'static [u8],
    pub generation: &'static [u8],
}

impl Lingware {
    /// Every language there is.
    pub(in crate::voice) const ALL: &[Self] = include!(concat!(env!("OUT_DIR"), "/lingware.rs"));

    /// The nearest to a language: the same one, else another kind of it.
    pub(in crate::voice) fn nearest(language: &str) -> Option<&'static Self> {
        let same = |it: &&Self| it.language.eq_ignore_ascii_case(language);
        let primary = language.split('-').next().unwrap_or_default();
        let kind = |it: &&Self| it.language[..2].eq_ignore_ascii_case(primary);
        let all = || Self::ALL.iter();
        all().find(same).or_else(|| all().find(kind))
    }
}

/// Bytes under a name that ends in `.bin`, which is all that Pico reads. On Linux the bytes are in
/// memory and the name is a link in a folder of our own; both are gone when this is dropped.
pub(super) struct NamedBytes {
    folder: PathBuf,
    #[cfg(target_os = "linux")]
    _file: std::fs::File,
}

/// Where a folder may be made, the usual place first. Pico takes short paths only.
const PLACES: [&str; 4] = ["/tmp", "/dev/shm", "/var/tmp", "."];

impl NamedBytes {
    pub(super) fn of(bytes: &[u8]) -> io::Result<Self> {
        let folder = private_folder()?;
        let path = folder.join(NAME);
        #[cfg(target_os = "linux")]
        let named = {
            let flags = rustix::fs::MemfdFlags::CLOEXEC;
            let mut file = std::fs::File::from(rustix::fs::memfd_create("lingware", flags)?);
            file.write_all(bytes)?;
            let target = format!("/proc/self/fd/{}", file.as_raw_fd());
            let named = Self {
                folder,
                _file: file,
            };
            std::os::unix::fs::symlink(target, path)?;
            named
        };
        #[cfg(not(target_os = "linux"))]
        let named = {
            let named = Self { folder };
            std::fs::write(path, bytes)?;
            named
        };
        Ok(named)
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.join(NAME)
    }
}

const NAME: &str = "lingware.bin";

impl Drop for NamedBytes {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(self.path());
        let _ = std::fs::remove_dir(&self.folder);
    }
}

/// A new folder that nobody else may enter.
fn private_folder() -> io::Result<PathBuf> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for place in PLACES {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!(".bellwether-{}-{number}", std::process::id());
        let folder = Path::new(place).join(name);
        match std::fs::DirBuilder::new().mode(0o700).create(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) => last = error,
        }
    }
    Err(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_kind_of_a_language_is_found() {
        let nearest = |language| Lingware::nearest(language).map(|it| it.language);
        assert_eq!(nearest("en-GB"), Some("en-GB"));
        assert_eq!(nearest("en"), Some("en-US"));
        assert_eq!(nearest("de-AT"), Some("de-DE"));
        assert_eq!(nearest("ko"), None);
        assert_eq!(nearest(""), None);
    }
}
