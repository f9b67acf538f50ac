//! The journal's files: `0000000001.jsonseq` and so on, the highest number being the newest.

use std::fs::{File, Metadata};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::SpineError;

/// A segment is sealed once it is this long.
pub(super) const SEAL_BYTES: u64 = 16 * 1024 * 1024;
/// One byte is appended to this file for each event that the size cap dropped.
const DROPPED: &str = "dropped";

/// The number of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Segment(pub u64);

impl Segment {
    /// The first segment of a journal.
    pub(super) const FIRST: Self = Self(1);

    pub(super) fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// The segment's file in a journal folder.
    pub fn path(self, journal: &Path) -> PathBuf {
        journal.join(format!("{:010}.jsonseq", self.0))
    }

    fn from_name(name: &[u8]) -> Option<Self> {
        let digits = name.strip_suffix(b".jsonseq")?;
        (digits.len() == 10).then_some(())?;
        std::str::from_utf8(digits).ok()?.parse().ok().map(Self)
    }

    /// Opens the segment for appending, creating it when it is missing.
    pub(super) fn open_to_append(self, journal: &Path) -> Result<File, SpineError> {
        let path = self.path(journal);
        File::options()
            .create(true)
            .append(true)
            .mode(0o600)
            .open(&path)
            .map_err(|source| SpineError::io("open", &path, source))
    }

    /// Looks at the segment's file; `None` when it is gone.
    pub(super) fn look(self, journal: &Path) -> Result<Option<Metadata>, SpineError> {
        let path = self.path(journal);
        match std::fs::metadata(&path) {
            Ok(seen) => Ok(Some(seen)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(SpineError::io("look at", &path, source)),
        }
    }
}

/// All segments of a journal, oldest first; none when the folder does not exist.
pub(super) fn list(journal: &Path) -> Result<Vec<Segment>, SpineError> {
    let failed = |source: rustix::io::Errno| SpineError::io("list", journal, source);
    let folder = match rustix::fs::open(
        journal,
        rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::DIRECTORY | rustix::fs::OFlags::CLOEXEC,
        rustix::fs::Mode::empty(),
    ) {
        Ok(folder) => folder,
        Err(rustix::io::Errno::NOENT) => return Ok(Vec::new()),
        Err(errno) => return Err(failed(errno)),
    };
    let mut segments = Vec::new();
    for entry in rustix::fs::Dir::new(folder).map_err(failed)? {
        segments.extend(Segment::from_name(
            entry.map_err(failed)?.file_name().to_bytes(),
        ));
    }
    segments.sort_unstable();
    Ok(segments)
}

/// Counts an event that was not kept.
pub(super) fn count_dropped(journal: &Path) -> Result<(), SpineError> {
    use std::io::Write as _;
    let path = journal.join(DROPPED);
    File::options()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(&path)
        .and_then(|mut file| file.write_all(b"."))
        .map_err(|source| SpineError::io("count in", &path, source))
}

/// How many events the size cap has dropped.
pub fn dropped(journal: &Path) -> u64 {
    std::fs::metadata(journal.join(DROPPED)).map_or(0, |seen| seen.len())
}

/// How many bytes all segments take.
pub fn total_bytes(journal: &Path) -> Result<u64, SpineError> {
    list(journal)?.into_iter().try_fold(0, |sum, segment| {
        Ok(sum + segment.look(journal)?.map_or(0, |seen| seen.len()))
    })
}

/// How many bytes wait behind the given cursors.
pub fn pending_bytes(journal: &Path, cursors: &[super::Cursor]) -> Result<u64, SpineError> {
    list(journal)?.into_iter().try_fold(0, |sum, segment| {
        let read = cursors
            .iter()
            .find(|cursor| cursor.segment == segment)
            .map_or(0, |c| c.offset);
        Ok(sum
            + segment
                .look(journal)?
                .map_or(0, |seen| seen.len().saturating_sub(read)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_names_are_segments() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "0000000002.jsonseq",
            "0000000001.jsonseq",
            "1.jsonseq",
            "dropped",
            "x.jsonseq",
        ] {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        assert_eq!(list(folder.path()).unwrap(), [Segment(1), Segment(2)]);
        assert_eq!(total_bytes(folder.path()).unwrap(), 2);
        assert_eq!(list(&folder.path().join("none")).unwrap(), []);
    }
}
