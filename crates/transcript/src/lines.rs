//! A file's lines from its beginning, one in memory at a time, each with its place.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::FileExt as _;

/// A longer line is passed over.
const LONGEST: u64 = 16 << 20;
const CHUNK: usize = 128 * 1024;
/// A buffer that has grown beyond this is let go.
const KEPT: usize = 1 << 20;

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub from: u64,
    pub length: u32,
}

/// The lines of a file as it was when reading began.
pub(crate) struct Lines<'f> {
    reader: io::Take<BufReader<&'f File>>,
    at: u64,
    line: Vec<u8>,
}

/// What was read.
pub(crate) enum Read<'a> {
    Line(Place, &'a [u8]),
    /// It is too long to be looked at: so many bytes.
    TooLong(u64),
}

impl<'f> Lines<'f> {
    pub(crate) fn new(file: &'f File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        let mut reader = BufReader::with_capacity(CHUNK, file);
        reader.seek(SeekFrom::Start(0))?;
        Ok(Self {
            reader: reader.take(length),
            at: 0,
            line: Vec::new(),
        })
    }

    /// How far was read, in bytes.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// The next line, without its end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Read<'_>>> {
        self.line.clear();
        self.line.shrink_to(KEPT);
        let from = self.at;
        let mut bounded = self.reader.by_ref().take(LONGEST);
        let read = bounded.read_until(b'\n', &mut self.line)? as u64;
        self.at += read;
        if read == 0 {
            return Ok(None);
        }
        if read == LONGEST && self.line.last() != Some(&b'\n') {
            self.at += pass_over(&mut self.reader)?;
            return Ok(Some(Read::TooLong(self.at - from)));
        }
        let line = self.line.trim_ascii();
        let length = u32::try_from(self.line.len()).unwrap_or(u32::MAX);
        Ok(Some(Read::Line(Place { from, length }, line)))
    }
}

/// Goes behind the next end of a line, and says how far that was.
fn pass_over(reader: &mut impl io::BufRead) -> io::Result<u64> {
    let mut passed = 0;
    loop {
        let buffer = reader.fill_buf()?;
        let (length, found) = match memchr::memchr(b'\n', buffer) {
            Some(at) => (at + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        reader.consume(length);
        passed += length as u64;
        if found {
            return Ok(passed);
        }
    }
}

/// Reads a line again.
pub(crate) fn again(file: &File, place: Place) -> io::Result<Vec<u8>> {
    let mut line = vec![0; usize::try_from(place.length).unwrap_or_default()];
    file.read_exact_at(&mut line, place.from)?;
    Ok(line)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn read(text: &[u8]) -> Vec<String> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text).unwrap();
        let mut lines = Lines::new(&file).unwrap();
        let mut all = Vec::new();
        let mut places = Vec::new();
        while let Some(read) = lines.next().unwrap() {
            match read {
                Read::Line(place, line) => {
                    all.push(String::from_utf8_lossy(line).into_owned());
                    places.push((place, all.last().cloned().unwrap()));
                }
                Read::TooLong(bytes) => all.push(format!("too long: {bytes}")),
            }
        }
        for (place, line) in places {
            let again = again(&file, place).unwrap();
            assert_eq!(String::from_utf8_lossy(again.trim_ascii()), line);
        }
        assert_eq!(lines.at(), text.len() as u64);
        all
    }

    #[test]
    fn lines_come_with_their_places() {
        assert_eq!(read(b"a\r\n\nbc\nlast"), ["a", "", "bc", "last"]);
        assert!(read(b"").is_empty());
    }

    #[test]
    fn a_line_that_is_too_long_costs_only_itself() {
        let most = usize::try_from(LONGEST).unwrap();
        let with = |length: usize| [b"a\n", vec![b'x'; length].as_slice(), b"\nb\n"].concat();
        assert_eq!(
            read(&with(most + 5)),
            ["a", &format!("too long: {}", most + 6), "b"]
        );
        assert_eq!(
            read(&with(most)),
            ["a", &format!("too long: {}", most + 1), "b"]
        );
        assert_eq!(read(&with(most - 1)).len(), 3);
    }
}
