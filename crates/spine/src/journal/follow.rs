//! The daemon's side: reads every segment onwards from where it stopped, seals, and deletes what
//! has been read long ago.
//!
//! Order: sizes are taken from the newest segment to the oldest, and reading goes from the oldest
//! to the newest, up to those sizes. A record that was written after another had been written is
//! therefore never handed out before it, although a late hook may still append to a sealed segment.

use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

use super::framing::{Frame, next};
use super::segment::{SEAL_BYTES, Segment, list};
use crate::SpineError;

/// How much is read at a time.
const CHUNK: usize = 256 * 1024;
/// No record is longer: stdin is bounded, and quoting at most multiplies by six.
const RECORD_MAX: usize = 512 * 1024 * 1024;
/// A file is recognised by its first bytes: they hold the first record's unique id.
const HEAD_BYTES: usize = 64;
/// An unfinished record in a sealed segment that has not changed for so long will stay unfinished.
const SETTLED_AFTER: Duration = Duration::from_mins(1);
/// A read segment is kept this long, as a second copy of the last day.
const KEPT_FOR: Duration = Duration::from_hours(24);

/// How far a segment has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    pub segment: Segment,
    /// Everything before this byte has been read.
    pub offset: u64,
    /// Which file that was: a hash of its first bytes, 0 while it has too few.
    pub head: i64,
}

/// What was passed over, in records or occasions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Records cut off by the death of their writer.
    pub torn: u64,
    /// Runs of bytes that are no records.
    pub foreign: u64,
    /// Segments that had become shorter than what was read of them.
    pub past_end: u64,
    /// Segments that had been replaced by another file of the same name.
    pub replaced: u64,
}

impl Skipped {
    /// Whether nothing was passed over.
    pub fn is_nothing(self) -> bool {
        self == Self::default()
    }
}

/// What one call to [`Follower::read`] found.
#[derive(Debug, Default)]
pub struct Progress {
    /// How many records were handed out.
    pub records: usize,
    pub skipped: Skipped,
    /// Where reading stands now, for the segments that moved.
    pub moved: Vec<Cursor>,
    /// Whether the budget ended before the journal did.
    pub more: bool,
}

struct Open {
    file: File,
    inode: u64,
    offset: u64,
    head: i64,
}

/// A segment as it stands when reading begins.
struct Seen {
    segment: Segment,
    size: u64,
    inode: u64,
    /// Nobody can be in the middle of writing to it any more.
    settled: bool,
}

pub struct Follower {
    journal: PathBuf,
    known: BTreeMap<Segment, Cursor>,
    open: BTreeMap<Segment, Open>,
    buffer: Vec<u8>,
    seal_bytes: u64,
}

impl Follower {
    /// Goes on from the given cursors; segments without one are read from their beginning.
    pub fn new(journal: PathBuf, cursors: &[Cursor]) -> Self {
        let known = cursors
            .iter()
            .map(|cursor| (cursor.segment, *cursor))
            .collect();
        Self {
            journal,
            known,
            open: BTreeMap::new(),
            buffer: Vec::new(),
            seal_bytes: SEAL_BYTES,
        }
    }

    /// Hands out the JSON of up to about `budget` bytes of records, each without its frame.
    pub fn read(
        &mut self,
        budget: usize,
        mut sink: impl FnMut(&[u8]),
    ) -> Result<Progress, SpineError> {
        let mut progress = Progress::default();
        let mut left = budget;
        for seen in self.look()? {
            self.enter(&seen, &mut progress.skipped)?;
            let before = self.cursor(seen.segment);
            progress.more |= self.read_segment(&seen, &mut left, &mut sink, &mut progress)?;
            progress.moved.extend(
                self.cursor(seen.segment)
                    .filter(|after| Some(*after) != before),
            );
            if progress.more {
                break;
            }
        }
        Ok(progress)
    }

    /// The segments, oldest first, looked at newest first.
    fn look(&mut self) -> Result<Vec<Seen>, SpineError> {
        let now = SystemTime::now();
        let mut all = Vec::new();
        for segment in list(&self.journal)?.into_iter().rev() {
            if let Some(found) = segment.look(&self.journal)? {
                let settled = !all.is_empty() && unchanged_for(&found, now) >= SETTLED_AFTER;
                all.push(Seen {
                    segment,
                    size: found.len(),
                    inode: found.ino(),
                    settled,
                });
            }
        }
        all.reverse();
        self.open
            .retain(|segment, _| all.iter().any(|seen| seen.segment == *segment));
        Ok(all)
    }

    /// Opens a segment at its cursor, unless it is open. A file that stands in the place of the one
    /// that was open is another segment of the same name.
    fn enter(&mut self, seen: &Seen, skipped: &mut Skipped) -> Result<(), SpineError> {
        let segment = seen.segment;
        let known = match self.open.get(&segment) {
            Some(open) if open.inode == seen.inode => return Ok(()),
            Some(open) => Some(Cursor {
                segment,
                offset: open.offset,
                head: open.head,
            }),
            None => self.known.remove(&segment),
        };
        let path = segment.path(&self.journal);
        let file = File::open(&path).map_err(|source| SpineError::io("open", &path, source))?;
        let head = head_of(&file);
        let offset = match known {
            None => 0,
            Some(cursor) if cursor.head == 0 || cursor.head == head => cursor.offset,
            Some(_) => {
                skipped.replaced += 1;
                0
            }
        };
        self.open.insert(
            segment,
            Open {
                file,
                inode: seen.inode,
                offset,
                head,
            },
        );
        Ok(())
    }

    fn cursor(&self, segment: Segment) -> Option<Cursor> {
        let open = self.open.get(&segment)?;
        Some(Cursor {
            segment,
            offset: open.offset,
            head: open.head,
        })
    }

    /// Reads one segment up to the size it was seen with; true when the budget ended first.
    fn read_segment(
        &mut self,
        seen: &Seen,
        left: &mut usize,
        sink: &mut impl FnMut(&[u8]),
        progress: &mut Progress,
    ) -> Result<bool, SpineError> {
        let Some(open) = self.open.get_mut(&seen.segment) else {
            return Ok(false);
        };
        if open.offset > seen.size {
            progress.skipped.past_end += 1;
            open.offset = seen.size;
        }
        let mut wanted = CHUNK;
        while open.offset < seen.size {
            if *left == 0 {
                return Ok(true);
            }
            let length = wanted.min(usize::try_from(seen.size - open.offset).unwrap_or(usize::MAX));
            self.buffer.resize(length, 0);
            let got = open
                .file
                .read_at(&mut self.buffer, open.offset)
                .map_err(|source| {
                    SpineError::io("read", &seen.segment.path(&self.journal), source)
                })?;
            let used = split(&self.buffer[..got], sink, progress);
            open.offset += used as u64;
            *left = left.saturating_sub(used);
            if open.head == 0 {
                open.head = head_of(&open.file);
            }
            match used {
                // It has become shorter meanwhile; the next look tells.
                0 if got == 0 => break,
                // The rest is the beginning of a record: still being written, or never to be ended.
                0 if open.offset + got as u64 >= seen.size => {
                    if seen.settled {
                        progress.skipped.torn += 1;
                        open.offset = seen.size;
                    }
                    break;
                }
                0 if got >= RECORD_MAX => {
                    // A record without an end: its RS is passed over, the rest becomes foreign bytes.
                    progress.skipped.foreign += 1;
                    open.offset += 1;
                }
                0 => wanted = got * 4,
                _ => wanted = CHUNK,
            }
        }
        // A burst with one huge record must not cost its memory for ever.
        self.buffer.truncate(CHUNK);
        self.buffer.shrink_to(CHUNK);
        Ok(false)
    }

    /// Creates the next segment when the newest is long enough. Hooks find it by its number.
    pub fn seal_if_long(&mut self) -> Result<(), SpineError> {
        let Some((newest, open)) = self.open.last_key_value() else {
            return Ok(());
        };
        if open.offset >= self.seal_bytes {
            newest.next().open_to_append(&self.journal)?;
        }
        Ok(())
    }

    /// Creates the next segment, however short the newest is.
    pub fn seal(&mut self) -> Result<(), SpineError> {
        if let Some((newest, _)) = self.open.last_key_value() {
            newest.next().open_to_append(&self.journal)?;
        }
        Ok(())
    }

    /// Deletes the sealed segments that were read to their end and have not changed for a day, and
    /// returns them. What was read must have been stored before. Their cursors may be forgotten only after this: a cursor that is gone before
    /// its file would have the file read again.
    pub fn delete_old(&mut self, now: SystemTime) -> Result<Vec<Segment>, SpineError> {
        let mut deleted = Vec::new();
        let segments = list(&self.journal)?;
        let sealed = segments.len().saturating_sub(1);
        for segment in &segments[..sealed] {
            let Some(seen) = segment.look(&self.journal)? else {
                continue;
            };
            let read = self
                .open
                .get(segment)
                .is_some_and(|open| open.offset >= seen.len());
            if read && unchanged_for(&seen, now) >= KEPT_FOR {
                let path = segment.path(&self.journal);
                std::fs::remove_file(&path)
                    .map_err(|source| SpineError::io("delete", &path, source))?;
                self.open.remove(segment);
                deleted.push(*segment);
            }
        }
        Ok(deleted)
    }
}

fn unchanged_for(seen: &Metadata, now: SystemTime) -> Duration {
    seen.modified()
        .ok()
        .and_then(|at| now.duration_since(at).ok())
        .unwrap_or_default()
}

/// Hands out the whole records in `bytes` and returns how many bytes are done with.
fn split(bytes: &[u8], sink: &mut impl FnMut(&[u8]), progress: &mut Progress) -> usize {
    let mut at = 0;
    loop {
        at += match next(&bytes[at..]) {
            Frame::Record(length) => {
                sink(&bytes[at + 1..at + length - 1]);
                progress.records += 1;
                length
            }
            Frame::Torn(length) => {
                progress.skipped.torn += 1;
                length
            }
            Frame::Foreign(length) => {
                progress.skipped.foreign += 1;
                length
            }
            Frame::Unfinished | Frame::Nothing => return at,
        };
    }
}

fn head_of(file: &File) -> i64 {
    let mut bytes = [0; HEAD_BYTES];
    if file.read_exact_at(&mut bytes, 0).is_err() {
        return 0;
    }
    let hash = Sha256::digest(bytes);
    hash[..8]
        .iter()
        .fold(0_i64, |sum, byte| (sum << 8) | i64::from(*byte))
        | 1
}

#[cfg(test)]
mod tests;
