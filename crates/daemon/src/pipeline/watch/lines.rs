//! The lines that were written into a transcript since it was last read.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};

/// A transcript that is longer than this is not read from its beginning: too much of it is old.
const FARTHEST: u64 = 256 * 1024 * 1024;
/// What is looked for stands in lines shorter than this; no more of one is held in memory.
const LONGEST: u64 = 16 * 1024 * 1024;

/// Tells each line behind a place, and returns the place to go on from.
pub(super) fn since(file: File, from: u64, mut tell: impl FnMut(&[u8])) -> io::Result<u64> {
    let mut file = BufReader::with_capacity(256 * 1024, file);
    let length = file.get_ref().metadata()?.len();
    // A shorter one was begun anew.
    let from = if length < from { 0 } else { from };
    let mut read_to = from.max(length.saturating_sub(FARTHEST));
    file.seek(SeekFrom::Start(read_to))?;
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = file.by_ref().take(LONGEST).read_until(b'\n', &mut line)? as u64;
        // A line without an end is still being written.
        if read < LONGEST && line.last() != Some(&b'\n') {
            return Ok(read_to);
        }
        // A part of a line that is too long is passed over for good: it would else be read again at every turn.
        read_to += read;
        tell(&line);
    }
}
