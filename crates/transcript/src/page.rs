//! A transcript from its beginning, a page at a time. A page is found by its place in the file and costs
//! as much as it is long, however long the file is.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Seek as _, SeekFrom};

use schemars::JsonSchema;
use serde::Serialize;

use crate::entry::{Calls, Entry, entries, left_out};

/// A page reads no more than this, and ends with the line it is in.
const READ: u64 = 4 << 20;
/// A longer line is passed over.
const LONGEST: u64 = 8 << 20;

/// No page goes farther for the end of a line: a file may be one endless line, and larger than any disk.
const FARTHEST: u64 = 128 << 20;

/// A page of a transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Page {
    /// What stands there.
    pub entries: Vec<Entry>,
    /// Give this as `after` to read on; none when there is nothing more.
    pub next: Option<u64>,
    /// Where this page ends: give it as `after` later, and what was written since is read.
    pub end: u64,
}

impl Page {
    /// Reads from a place on, until there are so many entries.
    pub fn read(file: &File, after: u64, limit: usize) -> io::Result<Self> {
        let length = file.metadata()?.len();
        let mut lines = BufReader::with_capacity(64 * 1024, file);
        let place = after.min(length);
        let mut page = Self {
            end: place,
            ..Self::default()
        };
        match begin(&mut lines, place)? {
            Passed::Nothing => {}
            Passed::Line(passed) => page.end += passed - 1,
            Passed::TooFar(passed) => {
                page.leave_out(passed - 1);
                page.next = Some(page.end).filter(|end| *end < length);
                return Ok(page);
            }
        }
        let (start, mut calls) = (page.end, Calls::new());
        while page.entries.len() < limit && page.end - start < READ {
            if !page.take_line(&mut lines, &mut calls)? {
                return Ok(page);
            }
        }
        page.next = Some(page.end).filter(|end| *end < length);
        Ok(page)
    }

    /// Takes one line; false when there is no whole one.
    fn take_line(&mut self, lines: &mut BufReader<&File>, calls: &mut Calls) -> io::Result<bool> {
        let mut line = Vec::new();
        let read = lines.by_ref().take(LONGEST).read_until(b'\n', &mut line)? as u64;
        if line.last() == Some(&b'\n') {
            self.entries.extend(entries(&line, self.end, calls));
            self.end += read;
            return Ok(true);
        }
        // One without an end is still being written.
        if read < LONGEST {
            return Ok(false);
        }
        let passed = pass_over(lines)?;
        if let Passed::Nothing = passed {
            return Ok(false);
        }
        self.leave_out(read + passed.bytes());
        Ok(true)
    }

    fn leave_out(&mut self, bytes: u64) {
        self.entries.push(left_out(self.end, bytes));
        self.end += bytes;
    }
}

/// What came of going to the next line.
enum Passed {
    /// It begins after so many bytes.
    Line(u64),
    /// It is farther than anyone goes at a time; so far it was gone.
    TooFar(u64),
    /// There is none.
    Nothing,
}

impl Passed {
    fn bytes(&self) -> u64 {
        match self {
            Self::Line(bytes) | Self::TooFar(bytes) => *bytes,
            Self::Nothing => 0,
        }
    }
}

/// Goes to a place, and on to the next beginning of a line if it is none; says how far that is from the byte before the
/// place.
fn begin(lines: &mut BufReader<&File>, place: u64) -> io::Result<Passed> {
    let Some(before) = place.checked_sub(1) else {
        lines.seek(SeekFrom::Start(0))?;
        return Ok(Passed::Nothing);
    };
    lines.seek(SeekFrom::Start(before))?;
    pass_over(lines)
}

/// Goes behind the next end of a line, and says how far that was.
fn pass_over(lines: &mut BufReader<&File>) -> io::Result<Passed> {
    let mut passed = 0;
    loop {
        let buffer = lines.fill_buf()?;
        if buffer.is_empty() {
            return Ok(Passed::Nothing);
        }
        let found = memchr::memchr(b'\n', buffer);
        let used = found.map_or(buffer.len(), |at| at + 1);
        lines.consume(used);
        passed += used as u64;
        if found.is_some() {
            return Ok(Passed::Line(passed));
        }
        if passed >= FARTHEST {
            return Ok(Passed::TooFar(passed));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn file(text: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text).unwrap();
        file
    }

    fn said(words: &str) -> String {
        format!(r#"{{"type":"user","message":{{"content":"{words}"}}}}"#) + "\n"
    }

    fn texts(page: &Page) -> Vec<&str> {
        page.entries
            .iter()
            .map(|entry| entry.text.as_str())
            .collect()
    }

    #[test]
    fn pages_follow_each_other_and_what_is_written_later_is_read() {
        let mut file = file((said("a") + "{}\n" + &said("b") + &said("c")).as_bytes());
        let first = Page::read(&file, 0, 2).unwrap();
        assert_eq!(texts(&first), ["a", "b"]);
        let second = Page::read(&file, first.next.unwrap(), 2).unwrap();
        assert_eq!((texts(&second), second.next), (vec!["c"], None));
        let torn = said("d");
        file.write_all(&torn.as_bytes()[..20]).unwrap();
        let third = Page::read(&file, second.end, 2).unwrap();
        assert_eq!((texts(&third), third.end), (vec![], second.end));
        file.write_all(&torn.as_bytes()[20..]).unwrap();
        let fourth = Page::read(&file, third.end, 2).unwrap();
        assert_eq!((texts(&fourth), fourth.next), (vec!["d"], None));
        assert_eq!(Page::read(&file, 1 << 40, 2).unwrap().entries, []);
    }

    #[test]
    fn a_transcript_of_twenty_gigabytes_is_read_a_page_at_a_time() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(said("a").as_bytes()).unwrap();
        file.set_len(20 << 30).unwrap();
        let begun = std::time::Instant::now();
        let first = Page::read(&file, 0, 9).unwrap();
        assert_eq!(first.entries[0].text, "a");
        assert!(
            first.entries[1].text.contains("left out"),
            "{:?}",
            first.entries
        );
        let second = Page::read(&file, first.next.unwrap(), 9).unwrap();
        assert!(second.next.unwrap() > first.end);
        let last = Page::read(&file, (20 << 30) - 5, 9).unwrap();
        assert_eq!((last.entries.len(), last.next), (0, None));
        assert!(
            begun.elapsed() < std::time::Duration::from_secs(20),
            "{:?}",
            begun.elapsed()
        );
    }

    #[test]
    fn a_place_within_a_line_means_the_next_one() {
        let file = file((said("a") + &said("b")).as_bytes());
        assert_eq!(texts(&Page::read(&file, 5, 9).unwrap()), ["b"]);
    }

    #[test]
    fn a_line_that_is_too_long_costs_only_itself() {
        let long = "x".repeat(usize::try_from(LONGEST).unwrap() + 10);
        let file = file((said("a") + &said(&long) + &said("b")).as_bytes());
        let page = Page::read(&file, 0, 9).unwrap();
        assert!(texts(&page)[1].starts_with("[left out: 8"), "{page:?}");
        let rest = Page::read(&file, page.next.unwrap(), 9).unwrap();
        assert_eq!((texts(&rest), rest.next), (vec!["b"], None));
    }
}
