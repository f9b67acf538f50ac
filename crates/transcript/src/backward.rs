//! The lines of something, last first, in constant memory and time: no more is read than is asked
//! for, and never more than a fixed amount.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

/// How much is read at once.
const CHUNK: usize = 64 * 1024;
/// A longer line is passed over.
const LONGEST_LINE: usize = 64 << 20;
/// What lies further from the end than this is not looked at.
const FURTHEST: u64 = 160 << 20;

/// Something that can be read at any place.
pub(super) trait Source {
    /// Fills a buffer from a place on.
    fn fill(&self, buffer: &mut [u8], from: u64) -> io::Result<()>;
}

impl Source for File {
    fn fill(&self, buffer: &mut [u8], from: u64) -> io::Result<()> {
        self.read_exact_at(buffer, from)
    }
}

impl Source for [u8] {
    fn fill(&self, buffer: &mut [u8], from: u64) -> io::Result<()> {
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        let there = self.get(from..from.saturating_add(buffer.len()));
        buffer.copy_from_slice(there.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// The lines of a source from the last to the first, without their ends.
pub(super) struct Backward<'a, S: Source + ?Sized> {
    source: &'a S,
    /// The part of the source that is in memory and not yet given out.
    window: Vec<u8>,
    from: u64,
    /// What may still be read.
    left: u64,
    /// The line that the window ends in is too long and not wanted.
    passing_over: bool,
    done: bool,
}

impl<'a, S: Source + ?Sized> Backward<'a, S> {
    pub(super) fn new(source: &'a S, length: u64) -> Self {
        Self {
            source,
            window: Vec::new(),
            from: length,
            left: FURTHEST,
            passing_over: false,
            done: false,
        }
    }

    /// The line before the last one that was given out.
    pub(super) fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        while !self.done {
            if let Some(end) = memchr::memrchr(b'\n', &self.window) {
                let line = self.window.split_off(end + 1);
                self.window.truncate(end);
                let wanted = !std::mem::take(&mut self.passing_over);
                if wanted && line.len() <= LONGEST_LINE {
                    return Ok(Some(line));
                }
            } else if self.from == 0 || self.left == 0 {
                self.done = true;
                let whole = self.from == 0 && !self.passing_over;
                return Ok(whole.then(|| std::mem::take(&mut self.window)));
            } else {
                self.read_more()?;
            }
        }
        Ok(None)
    }

    /// Puts what stands before the window in front of it. Each time as much again as is there, so
    /// that a long line is copied a few times only.
    fn read_more(&mut self) -> io::Result<()> {
        if self.window.len() > LONGEST_LINE {
            self.passing_over = true;
            self.window = Vec::new();
        }
        let wanted = CHUNK.max(self.window.len()) as u64;
        let size = wanted.min(self.from).min(self.left);
        let mut window = vec![0; usize::try_from(size).unwrap_or(CHUNK)];
        self.source.fill(&mut window, self.from - size)?;
        window.append(&mut self.window);
        self.window = window;
        self.from -= size;
        self.left -= size;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut lines = Backward::new(bytes, bytes.len() as u64);
        std::iter::from_fn(|| lines.next().unwrap()).collect()
    }

    #[test]
    fn lines_come_last_first() {
        assert_eq!(lines(b"a\nbc\n"), [&b""[..], b"bc", b"a"]);
        assert_eq!(lines(b"a\nb"), [b"b", b"a"]);
        assert_eq!(lines(b""), [b""]);
    }

    #[test]
    fn a_line_of_fifty_mebibytes_is_read_and_one_that_is_too_long_passed_over() {
        let with = |length: usize| [b"first\n", vec![b'x'; length].as_slice(), b"\nlast"].concat();
        let lengths = |text: &[u8]| lines(text).iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(lengths(&with(50 << 20)), [4, 50 << 20, 5]);
        assert_eq!(lengths(&with(LONGEST_LINE + 1)), [4, 5]);
        assert_eq!(lengths(&with(LONGEST_LINE * 2)), [4, 5]);
    }

    #[test]
    fn a_file_of_twenty_gigabytes_ends_in_time() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(20 << 30).unwrap();
        let begun = std::time::Instant::now();
        let mut lines = Backward::new(&file, 20 << 30);
        assert_eq!(lines.next().unwrap(), None);
        assert!(
            begun.elapsed() < std::time::Duration::from_secs(20),
            "{:?}",
            begun.elapsed()
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn they_are_the_lines_of_the_text(parts in prop::collection::vec("[a-c]{0,70000}", 0..4)) {
            let text = parts.join("\n");
            let mut forward: Vec<Vec<u8>> = text.split('\n').map(|line| line.as_bytes().to_vec()).collect();
            forward.reverse();
            prop_assert_eq!(lines(text.as_bytes()), forward);
        }
    }
}
