//! Where a record begins and ends in a run of bytes that may hold anything.

use memchr::{memchr, memchr2};

/// Begins a record (RFC 7464).
pub const RS: u8 = 0x1e;
/// Ends a record.
pub const LF: u8 = b'\n';

/// What stands at the beginning of some bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// A whole record: this many bytes with RS and LF.
    Record(usize),
    /// A record that was cut off by the next one, this many bytes before.
    Torn(usize),
    /// Bytes that belong to no record.
    Foreign(usize),
    /// A record whose end has not been written yet.
    Unfinished,
    /// No bytes at all.
    Nothing,
}

/// Looks at the beginning of `bytes`.
pub(super) fn next(bytes: &[u8]) -> Frame {
    match bytes.first() {
        None => Frame::Nothing,
        Some(&RS) => match memchr2(LF, RS, &bytes[1..]) {
            Some(at) if bytes[1 + at] == LF => Frame::Record(at + 2),
            Some(at) => Frame::Torn(at + 1),
            None => Frame::Unfinished,
        },
        Some(_) => Frame::Foreign(memchr(RS, bytes).unwrap_or(bytes.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames() {
        assert_eq!(next(b""), Frame::Nothing);
        assert_eq!(next(b"\x1e{}\n\x1e"), Frame::Record(4));
        assert_eq!(next(b"\x1e{\"a\":"), Frame::Unfinished);
        assert_eq!(next(b"\x1e{\"a\":\x1e{}\n"), Frame::Torn(6));
        assert_eq!(next(b"junk\n\x1e{}\n"), Frame::Foreign(5));
        assert_eq!(next(b"junk"), Frame::Foreign(4));
        assert_eq!(next(b"\n\n"), Frame::Foreign(2));
    }
}
