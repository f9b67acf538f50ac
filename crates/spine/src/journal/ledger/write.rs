//! The daemon's side: what must survive is written here and waited for.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;

use super::super::append::{Appended, CAP_BYTES, length, open, write_once};
use super::super::segment::{Segment, list};
use super::entry::{BEGIN, Entry, HEAD, title};
use super::{anchor, path};
use crate::{Home, SpineError, clock};

/// How long the file is.
const LENGTH: u64 = 8 * 1024 * 1024;

/// Takes records that must survive a loss of power. There is one in a daemon.
pub struct Ledger {
    home: Home,
    file: Option<File>,
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

    /// Appends framed records to the journal by one write, and waits until they are safe. What finds no
    /// room is not counted: whoever sent it is told.
    pub fn append(&mut self, records: &[u8]) -> Result<Appended, SpineError> {
        let journal = self.home.journal();
        let segment = list(&journal)?.pop().unwrap_or(Segment::FIRST);
        let path = segment.path(&journal);
        if !self.touched.contains_key(&segment) {
            let file = open(&self.home, segment)?;
            anchor(&file, &path, &journal)?;
            self.touched.insert(segment, file);
        }
        let Some(file) = self.touched.get(&segment) else {
            return Ok(Appended::Dropped);
        };
        if length(file, &path)? >= CAP_BYTES {
            return Ok(Appended::Dropped);
        }
        write_once(file, records, &path)?;
        // The write was an append, so that it ended where the file stands now.
        let end =
            rustix::fs::tell(file).map_err(|errno| SpineError::io("look at", &path, errno))?;
        let from = end.saturating_sub(records.len() as u64);
        self.note(segment, from, records)?;
        Ok(Appended::Written)
    }

    /// Notes records that stand in the journal; they are safe then.
    fn note(&mut self, segment: Segment, from: u64, records: &[u8]) -> Result<(), SpineError> {
        let needed = (HEAD + records.len()) as u64;
        if self.at + needed > self.length {
            self.settle()?;
        }
        if BEGIN + needed > self.length {
            // Too much for any lap; these are among what the journal was just waited for with.
            return Ok(());
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
            None => self.file.insert(create(&path, self.length)?),
        };
        let failed = |source| SpineError::io("write to the disk", &path, source);
        if at == BEGIN {
            let title = title(&clock::boot_id().unwrap_or_default());
            file.write_all_at(&title, 0).map_err(failed)?;
        }
        file.write_all_at(&entry.written(), at).map_err(failed)?;
        file.sync_data().map_err(failed)?;
        self.at += needed;
        Ok(())
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
