//! The next boot's side.

use std::fs::File;
use std::os::unix::fs::FileExt as _;

use super::super::append::{open, write_once};
use super::super::follow::Cursor;
use super::super::segment::{Segment, list};
use super::entry::{Entry, entries, title};
use super::{anchor, path};
use crate::{Home, SpineError, clock};

/// Appends to the journal what a loss of power took from it, and says how many bytes that were. `stored`
/// says how far the journal had been stored: what is in the store needs no journal any more.
pub fn recover(home: &Home, stored: impl FnOnce() -> Vec<Cursor>) -> Result<usize, SpineError> {
    recover_in(home, stored, &clock::boot_id().unwrap_or_default())
}

pub(super) fn recover_in(
    home: &Home,
    stored: impl FnOnce() -> Vec<Cursor>,
    boot: &str,
) -> Result<usize, SpineError> {
    let path = path(home);
    let failed = |source| SpineError::io("read", &path, source);
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
        Err(source) => return Err(failed(source)),
    };
    let mut found = title("");
    if file.read_exact_at(&mut found, 0).is_ok() && found == title(boot) {
        return Ok(0);
    }
    let (bytes, stored) = (std::fs::read(&path).map_err(failed)?, stored());
    let mut lost = Vec::new();
    for entry in entries(&bytes) {
        if is_lost(home, &stored, &entry)? {
            lost.extend_from_slice(entry.records);
        }
    }
    if !lost.is_empty() {
        let journal = home.journal();
        let segment = list(&journal)?.pop().unwrap_or(Segment::FIRST);
        let (file, path) = (open(home, segment)?, segment.path(&journal));
        write_once(&file, &lost, &path)?;
        anchor(&file, &path, &journal)?;
    }
    // Whatever stands in it has been looked after.
    discard(home)?;
    Ok(lost.len())
}

/// Deletes what is noted; the next one begins anew. Nobody may be writing to it.
pub fn discard(home: &Home) -> Result<(), SpineError> {
    let path = path(home);
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(SpineError::io("delete", &path, error))
        }
        _ => Ok(()),
    }
}

/// Whether records are neither in the store nor in their place in the journal. A segment is deleted only
/// once it has been stored.
fn is_lost(home: &Home, stored: &[Cursor], entry: &Entry<'_>) -> Result<bool, SpineError> {
    let end = entry.from + entry.records.len() as u64;
    let of_segment = |cursor: &&Cursor| cursor.segment == entry.segment;
    if stored
        .iter()
        .find(of_segment)
        .is_some_and(|cursor| cursor.offset >= end)
    {
        return Ok(false);
    }
    let path = entry.segment.path(&home.journal());
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(source) => return Err(SpineError::io("open", &path, source)),
    };
    let mut found = vec![0; entry.records.len()];
    let whole = file.read_exact_at(&mut found, entry.from).is_ok();
    Ok(!whole || found != entry.records)
}
