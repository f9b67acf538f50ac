//! Reads one JSON value from a stream and not a byte longer than needed.
//!
//! The end of the stream is never awaited: a client may keep it open. Reading ends when the value
//! is complete, after 64 MiB, at the end of the stream, or after two seconds of silence.

use std::os::fd::BorrowedFd;

use memchr::arch::all::memchr::Two;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// The most that is read.
pub const MOST: usize = 64 * 1024 * 1024;
/// How long a silence may be, in seconds.
const SILENCE: i64 = 2;
/// A first buffer that holds nearly every event.
const FIRST: usize = 16 * 1024;

/// Why reading ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// One value is complete.
    Complete,
    /// The stream ended first.
    Closed,
    /// Nothing came for too long.
    Silent,
    /// There is more than is read.
    TooLong,
}

/// What was read, and why no more.
pub struct Input {
    pub bytes: Vec<u8>,
    pub end: End,
}

pub fn read(stream: BorrowedFd<'_>) -> Input {
    let mut bytes = vec![0; FIRST];
    let (mut length, mut scan) = (0, Scan::default());
    let end = loop {
        if length == bytes.len() {
            bytes.resize((length * 4).min(MOST + 1), 0);
        }
        match read_some(stream, &mut bytes[length..]) {
            Some(0) => break End::Closed,
            None => break End::Silent,
            Some(more) => {
                if let Some(end) = scan.feed(&bytes[length..length + more]) {
                    // What follows the value is not ours.
                    length += end;
                    break End::Complete;
                }
                length += more;
                if length > MOST {
                    break End::TooLong;
                }
            }
        }
    };
    bytes.truncate(length);
    Input { bytes, end }
}

/// Reads one value; `None` when none came, or not a whole one.
pub fn read_event(stream: BorrowedFd<'_>) -> Option<Vec<u8>> {
    let input = read(stream);
    (input.end == End::Complete).then_some(input.bytes)
}

/// Reads what there is; `None` after a silence. An error is taken for the end of the stream.
fn read_some(stream: BorrowedFd<'_>, into: &mut [u8]) -> Option<usize> {
    let patience = Timespec {
        tv_sec: SILENCE,
        tv_nsec: 0,
    };
    loop {
        let mut waiting = [PollFd::from_borrowed_fd(stream, PollFlags::IN)];
        match poll(&mut waiting, Some(&patience)) {
            Ok(0) => return None,
            Err(Errno::INTR) => continue,
            _ => {}
        }
        match rustix::io::read(stream, &mut *into) {
            Ok(length) => return Some(length),
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(_) => return Some(0),
        }
    }
}

/// Follows a JSON value just well enough to know where it ends. It searches without instructions that not every
/// processor has: to ask for those takes, in a virtual machine, longer than an event takes to read.
#[derive(Debug, Default)]
struct Scan {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Scan {
    /// Takes the next bytes and says how many of them belong to the value, once an object or array
    /// has been closed. Any other value is complete only with its stream: no event is one.
    fn feed(&mut self, all: &[u8]) -> Option<usize> {
        let mut bytes = all;
        while let Some((&byte, rest)) = bytes.split_first() {
            if self.escaped {
                self.escaped = false;
            } else if self.in_string {
                let at = Two::new(b'"', b'\\').find(bytes)?;
                self.escaped = bytes[at] == b'\\';
                self.in_string = self.escaped;
                bytes = &bytes[at + 1..];
                continue;
            } else if self.structure(byte) {
                return Some(all.len() - rest.len());
            }
            bytes = rest;
        }
        None
    }

    /// A byte outside strings; true when it closes the value.
    fn structure(&mut self, byte: u8) -> bool {
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            _ => {}
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::os::fd::AsFd;
    use std::os::unix::net::UnixStream;

    use proptest::prelude::*;

    use super::*;

    /// Writes pieces from another thread and keeps the stream open unless `close` is said.
    fn read_pieces(pieces: Vec<Vec<u8>>, close: bool) -> Input {
        let (mut ours, theirs) = UnixStream::pair().unwrap();
        let kept = ours.try_clone().unwrap();
        let writer =
            std::thread::spawn(move || pieces.iter().all(|piece| ours.write_all(piece).is_ok()));
        if close {
            writer.join().unwrap();
            drop(kept);
            return read(theirs.as_fd());
        }
        let input = read(theirs.as_fd());
        drop(theirs);
        writer.join().unwrap();
        drop(kept);
        input
    }

    #[test]
    fn a_whole_value_ends_reading_although_the_stream_stays_open() {
        for text in [
            "{}",
            " \n{\"a\":\"}\"}\n",
            "[[{\"x\":\"\\\"]\"}]]",
            "{\"\\\\\":1}",
        ] {
            let input = read_pieces(vec![text.into()], false);
            assert_eq!(input.end, End::Complete, "{text}");
            let end = text.rfind(['}', ']']).unwrap();
            assert_eq!(input.bytes, &text.as_bytes()[..=end]);
        }
    }

    #[test]
    fn half_a_value_ends_with_the_stream_or_with_silence() {
        let half = || vec![b"{\"a\":\"".to_vec()];
        assert_eq!(read_pieces(half(), true).end, End::Closed);
        assert_eq!(read_pieces(half(), false).end, End::Silent);
        assert_eq!(read_pieces(vec![], true).bytes, b"");
    }

    #[test]
    fn too_much_is_cut() {
        let pieces = vec![vec![b'['; 1024 * 1024]; 65];
        let input = read_pieces(pieces, false);
        assert_eq!(input.end, End::TooLong);
        assert!(input.bytes.len() > MOST && input.bytes.len() <= MOST + 2);
    }

    #[test]
    fn a_large_value_in_small_pieces_is_whole() {
        let text = format!("{{\"a\":\"{}\"}}", "\\\"x".repeat(100_000));
        let pieces = text.as_bytes().chunks(777).map(<[u8]>::to_vec).collect();
        let input = read_pieces(pieces, false);
        assert_eq!(input.end, End::Complete);
        assert_eq!(input.bytes, text.as_bytes());
    }

    proptest! {
        #[test]
        fn the_end_is_found_whatever_the_pieces(text in "[a\\\\\"{}\\[\\]]{0,30}", size in 1usize..8) {
            let json = serde_json::to_string(&serde_json::json!({ "k": text, "l": [text, {}] })).unwrap();
            let mut scan = Scan::default();
            let mut fed = 0;
            for piece in json.as_bytes().chunks(size) {
                prop_assert!(fed < json.len());
                fed += piece.len();
                prop_assert_eq!(scan.feed(piece), (fed == json.len()).then_some(piece.len()));
            }
        }
    }
}
