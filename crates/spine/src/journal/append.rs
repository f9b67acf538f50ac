//! The hook's side: one record into the newest segment by one write.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use super::segment::{Segment, count_dropped, list};
use crate::{Home, SpineError};

/// When the newest segment is this long nobody reads any more, and observed events are dropped.
pub(super) const CAP_BYTES: u64 = 256 * 1024 * 1024;

/// When it is this long, nothing is taken any more that came over HTTP: the rest is the hooks' room.
pub(super) const FOREIGN_CAP_BYTES: u64 = 64 * 1024 * 1024;

/// Whether an event may be dropped when the journal is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Merely observed: may be dropped, and is counted.
    IfRoom,
    /// Observed over HTTP, where anyone may send anything: has less room.
    IfMuchRoom,
    /// A denial or a question of ours: what we did to the agent is always on record.
    Always,
}

/// What became of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    /// It is in the journal.
    Written,
    /// The journal is at its cap; the event was counted only.
    Dropped,
}

/// Appends one framed record to the newest segment, creating the journal when it is missing.
pub fn append(home: &Home, record: &[u8], keep: Keep) -> Result<Appended, SpineError> {
    let cap = match keep {
        Keep::IfRoom => Some(CAP_BYTES),
        Keep::IfMuchRoom => Some(FOREIGN_CAP_BYTES),
        Keep::Always => None,
    };
    append_below(home, record, cap)
}

pub(super) fn open(home: &Home, segment: Segment) -> Result<File, SpineError> {
    let journal = home.journal();
    match segment.open_to_append(&journal) {
        Err(error) if error.is_not_found() => {
            home.create()?;
            segment.open_to_append(&journal)
        }
        opened => opened,
    }
}

fn append_below(home: &Home, record: &[u8], cap: Option<u64>) -> Result<Appended, SpineError> {
    let journal = home.journal();
    let newest = list(&journal)?.pop();
    let segment = newest.unwrap_or(Segment::FIRST);
    let file = open(home, segment)?;
    if let Some(cap) = cap.filter(|_| newest.is_some())
        && length(&file, &segment.path(&journal))? >= cap
    {
        count_dropped(&journal)?;
        return Ok(Appended::Dropped);
    }
    write_once(&file, record, &segment.path(&journal))
}

pub(super) fn length(file: &File, path: &Path) -> Result<u64, SpineError> {
    file.metadata()
        .map(|seen| seen.len())
        .map_err(|source| SpineError::io("look at", path, source))
}

/// One write: two would let another process's record come between. What did not fit stays torn.
pub(super) fn write_once(
    mut file: &File,
    record: &[u8],
    path: &Path,
) -> Result<Appended, SpineError> {
    match file.write(record) {
        Ok(written) if written == record.len() => Ok(Appended::Written),
        Ok(written) => Err(SpineError::ShortWrite {
            path: path.to_owned(),
            written,
            wanted: record.len(),
        }),
        Err(source) => Err(SpineError::io("append to", path, source)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::segment::dropped;
    use super::*;

    #[test]
    fn observed_events_are_dropped_at_the_cap_and_denials_never() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let record = b"\x1e{}\n";
        let cap = 8;
        for _ in 0..2 {
            let done = append_below(&home, record, Some(cap)).unwrap();
            assert_eq!(done, Appended::Written);
        }
        assert_eq!(
            append_below(&home, record, Some(cap)).unwrap(),
            Appended::Dropped
        );
        assert_eq!(
            append_below(&home, record, None).unwrap(),
            Appended::Written
        );
        assert_eq!(dropped(&home.journal()), 1);
        let text = std::fs::read(Segment::FIRST.path(&home.journal())).unwrap();
        assert_eq!(text, record.repeat(3));
    }

    #[test]
    fn what_comes_over_http_leaves_room_for_hooks() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        home.create().unwrap();
        let segment = Segment::FIRST.open_to_append(&home.journal()).unwrap();
        segment.set_len(FOREIGN_CAP_BYTES).unwrap();
        for (keep, done) in [
            (Keep::IfMuchRoom, Appended::Dropped),
            (Keep::IfRoom, Appended::Written),
            (Keep::Always, Appended::Written),
        ] {
            assert_eq!(append(&home, b"\x1e{}\n", keep).unwrap(), done, "{keep:?}");
        }
    }

    #[test]
    fn the_newest_segment_gets_it() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        home.create().unwrap();
        Segment(3).open_to_append(&home.journal()).unwrap();
        Segment(7).open_to_append(&home.journal()).unwrap();
        append(&home, b"\x1e{}\n", Keep::IfRoom).unwrap();
        assert_eq!(
            std::fs::read(Segment(7).path(&home.journal())).unwrap(),
            b"\x1e{}\n"
        );
    }
}
