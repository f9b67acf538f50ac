//! The daemon's side: what must survive is written here and waited for.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::append::{FOREIGN_CAP_BYTES, length, open, write_once};
use super::super::segment::{Segment, list};
use super::entry::{BEGIN, Entry, HEAD, title};
use super::{anchor, path};
use crate::{Home, SpineError, clock};

/// How long the file is.
const LENGTH: u64 = 8 * 1024 * 1024;

/// Takes records that must survive a loss of power. There is one in a daemon.
pub struct Ledger {
    home: Home,
    file: Option<Arc<File>>,
    pub(super) length: u64,
    lap: u64,
    at: u64,
    /// Segments that this lap wrote to, which have yet to be on the disk themselves.
    touched: BTreeMap<Segment, File>,
}

impl Ledger {
    /// One whose file is made with the first record.
    pub fn new(home: &Home) -> Self {
        Self {
            home: home.clone(),
            file: None,
            length: LENGTH,
            // A later daemon's laps have higher numbers.
            lap: clock::wall_ms(),
            at: BEGIN,
            touched: BTreeMap::new(),
        }
    }

    /// Appends framed records to the journal by one write and notes them; they are safe once that was
    /// [waited](Noted::wait) for. `None` when there is no room but for hooks, which is
    /// not counted: whoever sent them is told.
    pub fn append(&mut self, records: &[u8]) -> Result<Option<Noted>, SpineError> {
        let journal = self.home.journal();
        let segment = self.newest(&journal)?;
        let path = segment.path(&journal);
        if !self.touched.contains_key(&segment) {
            let file = open(&self.home, segment)?;
            anchor(&file, &path, &journal)?;
            self.touched.insert(segment, file);
        }
        let Some(file) = self.touched.get(&segment) else {
            return Ok(None);
        };
        if length(file, &path)? >= FOREIGN_CAP_BYTES {
            return Ok(None);
        }
        write_once(file, records, &path)?;
        // The write was an append, so that it ended where the file stands now.
        let end =
            rustix::fs::tell(file).map_err(|errno| SpineError::io("look at", &path, errno))?;
        let from = end.saturating_sub(records.len() as u64);
        self.note(segment, from, records).map(Some)
    }

    /// The newest segment. While a daemon runs each new one is the next after the newest, and one is deleted only
    /// long after that, so that the one written to last is the newest for as long as it is there and the next is
    /// not; the folder need not be listed.
    fn newest(&mut self, journal: &Path) -> Result<Segment, SpineError> {
        if let Some((&last, file)) = self.touched.last_key_value() {
            let path = last.path(journal);
            let ours = file.metadata();
            let ours = ours.map_err(|source| SpineError::io("look at", &path, source))?;
            let stands = last.look(journal)?;
            let stands = stands.is_some_and(|seen| seen.ino() == ours.ino());
            if stands && last.next().look(journal)?.is_none() {
                return Ok(last);
            }
            if !stands {
                // Somebody has deleted it or moved it away, and likely the file of this ledger too.
                self.settle()?;
                self.file = None;
            }
        }
        Ok(list(journal)?.pop().unwrap_or(Segment::FIRST))
    }

    /// Notes records that stand in the journal.
    fn note(&mut self, segment: Segment, from: u64, records: &[u8]) -> Result<Noted, SpineError> {
        let needed = (HEAD + records.len()) as u64;
        if self.at + needed > self.length {
            self.settle()?;
        }
        if BEGIN + needed > self.length {
            // Too much for any lap; these are among what the journal was just waited for with.
            return Ok(Noted(None));
        }
        let entry = Entry {
            lap: self.lap,
            segment,
            from,
            records,
        };
        let path = path(&self.home);
        let at = self.at;
        let file = match &self.file {
            Some(file) => file,
            None => self.file.insert(Arc::new(create(&path, self.length)?)),
        };
        let failed = |source| SpineError::io("write to the disk", &path, source);
        if at == BEGIN {
            let title = title(&clock::boot_id().unwrap_or_default());
            file.write_all_at(&title, 0).map_err(failed)?;
        }
        file.write_all_at(&entry.written(), at).map_err(failed)?;
        self.at += needed;
        Ok(Noted(Some((Arc::clone(file), path))))
    }

    /// Waits until the journal itself is on the disk, and begins a new lap.
    fn settle(&mut self) -> Result<(), SpineError> {
        for (segment, file) in std::mem::take(&mut self.touched) {
            file.sync_data().map_err(|source| {
                let path = segment.path(&self.home.journal());
                SpineError::io("write to the disk", &path, source)
            })?;
        }
        self.lap += 1;
        self.at = BEGIN;
        Ok(())
    }
}

/// Records that are noted. Whoever waits for them waits for all that were noted before as well, so that several may
/// wait at a time and none is safe before those in front of it.
#[must_use = "they are not safe before they were waited for"]
pub struct Noted(Option<(Arc<File>, PathBuf)>);

impl Noted {
    /// Waits until the records are on the disk.
    pub fn wait(self) -> Result<(), SpineError> {
        let Some((file, path)) = self.0 else {
            return Ok(());
        };
        file.sync_data()
            .map_err(|source| SpineError::io("write to the disk", &path, source))
    }
}

/// The file, with its bytes in their places on the disk, so that writing over them changes nothing else.
fn create(path: &Path, length: u64) -> Result<File, SpineError> {
    let failed = |source| SpineError::io("create", path, source);
    let file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path)
        .map_err(failed)?;
    if file.metadata().map_err(failed)?.len() != length {
        let zeros = vec![0; usize::try_from(length).unwrap_or_default()];
        file.set_len(0).map_err(failed)?;
        file.write_all_at(&zeros, 0).map_err(failed)?;
        file.sync_all().map_err(failed)?;
    }
    Ok(file)
}
