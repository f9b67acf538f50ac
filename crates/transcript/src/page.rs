//! A transcript a page at a time: onwards from a place, back from one, or from a moment on. A page is found by its place in
//! the file and costs as much as it is long, however long the file is.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Seek as _, SeekFrom};

use schemars::JsonSchema;
use serde::Serialize;

use crate::entry::{Calls, Entry, entries, left_out};
use crate::raw::RawLine;

/// A page reads no more than this, and ends with the line it is in.
const READ: u64 = 4 << 20;
/// Reading back begins with so much.
const BACK: u64 = 128 << 10;
/// A moment is looked for line by line in a piece no longer than this.
const NEAR: u64 = 64 << 10;
/// A longer line is passed over.
const LONGEST: u64 = 8 << 20;

/// No page goes farther for the end of a line: a file may be one endless line, and larger than any disk.
const FARTHEST: u64 = 128 << 20;

/// A page of a transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Page {
    /// What stands there.
    pub entries: Vec<Entry>,
    /// Give this as `before` to read what stands before this page; none at the beginning.
    pub previous: Option<u64>,
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
        page.previous = Some(page.end).filter(|start| *start > 0);
        let (start, mut calls) = (page.end, Calls::new());
        while page.entries.len() < limit && page.end - start < READ {
            if !page.take_line(&mut lines, &mut calls)? {
                return Ok(page);
            }
        }
        page.next = Some(page.end).filter(|end| *end < length);
        Ok(page)
    }

    /// Reads what stands before a place: the last of it, about so many entries, in whole lines.
    pub fn read_back(file: &File, before: u64, limit: usize) -> io::Result<Self> {
        let before = before.min(file.metadata()?.len());
        let mut reach = BACK;
        loop {
            let from = before.saturating_sub(reach);
            let (lines, end) = lines_between(file, from, before)?;
            let count: usize = lines.iter().map(|(_, entries)| entries.len()).sum();
            if count >= limit || from == 0 || reach >= READ {
                return Ok(Self::of_last(lines, from, end, limit));
            }
            reach *= 4;
        }
    }

    /// The last lines that have so many entries.
    fn of_last(lines: Vec<Told>, from: u64, end: u64, limit: usize) -> Self {
        let (mut count, mut start) = (0, lines.len());
        while start > 0 && count < limit {
            start -= 1;
            count += lines[start].1.len();
        }
        // Lines that say nothing to anybody are not read again at the front.
        let place = if start == 0 { from } else { lines[start].0 };
        Self {
            previous: Some(place).filter(|place| *place > 0),
            entries: lines
                .into_iter()
                .skip(start)
                .flat_map(|(_, entries)| entries)
                .collect(),
            next: None,
            end,
        }
    }

    /// Reads from the first line on that was written at a moment or later.
    pub fn read_at(file: &File, at_ms: u64, limit: usize) -> io::Result<Self> {
        let length = file.metadata()?.len();
        let (mut low, mut high) = (0, length);
        while high - low > NEAR {
            let middle = low + (high - low) / 2;
            match first_moment(file, middle, high)? {
                Some((_, moment)) if moment < at_ms => low = middle,
                _ => high = middle,
            }
        }
        let mut place = low;
        while let Some((end, moment)) = first_moment(file, place, length)? {
            if moment >= at_ms {
                break;
            }
            place = end;
        }
        Self::read(file, place, limit)
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

/// The whole lines that begin from a place on and end before another, each with its place, and where the last one ends.
fn lines_between(file: &File, from: u64, before: u64) -> io::Result<(Vec<Told>, u64)> {
    let mut reader = BufReader::with_capacity(64 * 1024, file);
    let mut place = match begin(&mut reader, from)? {
        Passed::Nothing => from,
        Passed::Line(passed) | Passed::TooFar(passed) => from + passed - 1,
    };
    let (mut lines, mut calls) = (Vec::new(), Calls::new());
    if place >= before {
        // One line fills all of it.
        return Ok((vec![(from, vec![left_out(from, before - from)])], before));
    }
    let mut line = Vec::new();
    while place < before {
        line.clear();
        let read = reader
            .by_ref()
            .take(before - place)
            .read_until(b'\n', &mut line)? as u64;
        if line.last() != Some(&b'\n') {
            break;
        }
        lines.push((place, entries(&line, place, &mut calls)));
        place += read;
    }
    Ok((lines, place))
}

/// When the first line behind a place was written that says so, and where that line ends.
fn first_moment(file: &File, from: u64, before: u64) -> io::Result<Option<(u64, u64)>> {
    let mut reader = BufReader::with_capacity(64 * 1024, file);
    let mut place = match begin(&mut reader, from)? {
        Passed::Nothing => from,
        Passed::Line(passed) => from + passed - 1,
        Passed::TooFar(_) => return Ok(None),
    };
    let mut line = Vec::new();
    while place < before {
        line.clear();
        let read = reader.by_ref().take(LONGEST).read_until(b'\n', &mut line)? as u64;
        if line.last() != Some(&b'\n') {
            return Ok(None);
        }
        place += read;
        if let Some(moment) = RawLine::parse(line.trim_ascii()).and_then(|line| line.at_ms()) {
            return Ok(Some((place, moment)));
        }
    }
    Ok(None)
}

/// The place of a line, and what it tells.
type Told = (u64, Vec<Entry>);

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

    /// Two hundred lines, a second after each other, with some that say nothing.
    fn long() -> (File, Vec<String>) {
        let words: Vec<String> = (0..200)
            .map(|number| format!("{number} {}", "x".repeat(2_000)))
            .collect();
        let lines = words.iter().enumerate().map(|(number, words)| {
            let at = format!("1970-01-01T00:{:02}:{:02}Z", number / 60, number % 60);
            format!(r#"{{"type":"user","timestamp":"{at}","message":{{"content":"{words}"}}}}"#)
                + "\n{}\n"
        });
        let text: String = lines.collect();
        (file(text.as_bytes()), words)
    }

    #[test]
    fn pages_go_back_to_the_beginning_and_nothing_is_lost_or_told_twice() {
        let (file, words) = long();
        let mut page = Page::read_back(&file, u64::MAX, 7).unwrap();
        let length = file.metadata().unwrap().len();
        assert_eq!(page.end, length);
        let mut told: Vec<String> = Vec::new();
        loop {
            let texts: Vec<String> = texts(&page).into_iter().map(str::to_owned).collect();
            told.splice(0..0, texts);
            let Some(previous) = page.previous else { break };
            page = Page::read_back(&file, previous, 7).unwrap();
            assert_eq!(page.end, previous);
        }
        assert_eq!(told, words);
    }

    #[test]
    fn a_line_that_is_still_written_is_left_for_later_and_a_huge_one_is_left_out() {
        let mut file = file((said("a") + &said("b")).as_bytes());
        file.write_all(b"{\"type\":\"us").unwrap();
        let page = Page::read_back(&file, u64::MAX, 9).unwrap();
        assert_eq!((texts(&page), page.previous), (vec!["a", "b"], None));
        assert_eq!(page.end, (said("a") + &said("b")).len() as u64);
        let huge = "x".repeat(usize::try_from(READ).unwrap() * 4);
        let file = self::file((said("a") + &said(&huge) + &said("b")).as_bytes());
        let mut page = Page::read_back(&file, u64::MAX, 1).unwrap();
        assert_eq!(texts(&page), ["b"]);
        let mut first = String::new();
        while let Some(previous) = page.previous {
            page = Page::read_back(&file, previous, 9).unwrap();
            texts(&page)[0].clone_into(&mut first);
        }
        assert_eq!(first, "a");
    }

    #[test]
    fn a_moment_is_found_wherever_it_is() {
        let (file, words) = long();
        for (at_ms, number) in [(0, 0), (1, 1), (77_000, 77), (76_001, 77), (199_000, 199)] {
            let page = Page::read_at(&file, at_ms, 2).unwrap();
            assert_eq!(
                texts(&page).first(),
                Some(&words[number].as_str()),
                "{at_ms}"
            );
        }
        assert!(
            Page::read_at(&file, 10_000_000, 2)
                .unwrap()
                .entries
                .is_empty()
        );
        assert!(
            Page::read_at(&self::file(b""), 1, 2)
                .unwrap()
                .entries
                .is_empty()
        );
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
