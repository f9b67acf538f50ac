//! How a program was linked: one that needs the system's loader names it in a program header (`PT_INTERP`).

use std::fmt;

const PT_INTERP: u64 = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linked {
    /// It starts without help.
    Statically,
    /// The system's loader starts it.
    Dynamically,
    /// Another format, as on macOS, where static programs do not exist; or a damaged file.
    Unknown,
}

impl fmt::Display for Linked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Statically => "statically linked",
            Self::Dynamically => "dynamically linked",
            Self::Unknown => "no ELF file",
        })
    }
}

/// How a program was linked; its beginning is enough, as linkers put the headers there.
pub fn linked(bytes: &[u8]) -> Linked {
    match needs_loader(bytes) {
        Some(true) => Linked::Dynamically,
        Some(false) => Linked::Statically,
        None => Linked::Unknown,
    }
}

fn needs_loader(bytes: &[u8]) -> Option<bool> {
    bytes.starts_with(b"\x7fELF").then_some(())?;
    let (wide, big) = (*bytes.get(4)? == 2, *bytes.get(5)? == 2);
    let number = |at: u64, length: usize| number(bytes, at, length, big);
    // Offset of the headers, length of one, and their number: in 64 bits, in 32 bits.
    let (first, length, count) = if wide {
        (number(32, 8)?, number(54, 2)?, number(56, 2)?)
    } else {
        (number(28, 4)?, number(42, 2)?, number(44, 2)?)
    };
    for index in 0..count {
        if number(first.checked_add(index * length)?, 4)? == PT_INTERP {
            return Some(true);
        }
    }
    Some(false)
}

fn number(bytes: &[u8], at: u64, length: usize, big: bool) -> Option<u64> {
    let at = usize::try_from(at).ok()?;
    let bytes = bytes.get(at..at.checked_add(length)?)?;
    let add = |sum: u64, byte: &u8| (sum << 8) | u64::from(*byte);
    Some(if big {
        bytes.iter().fold(0, add)
    } else {
        bytes.iter().rev().fold(0, add)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The beginning of a 64-bit program with headers of these types.
    fn program(types: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x7fELF\x02\x01\x01".to_vec();
        bytes.resize(64, 0);
        bytes[32] = 64;
        bytes[54] = 56;
        bytes[56] = u8::try_from(types.len()).unwrap();
        for kind in types {
            bytes.push(*kind);
            bytes.resize(bytes.len() + 55, 0);
        }
        bytes
    }

    #[test]
    fn a_loader_in_the_headers_makes_it_dynamic() {
        assert_eq!(linked(&program(&[1, 2, 6])), Linked::Statically);
        assert_eq!(linked(&program(&[6, 3, 1])), Linked::Dynamically);
    }

    #[test]
    fn anything_else_is_unknown() {
        for other in [
            &b"#!/bin/sh\n"[..],
            b"\x7fELF",
            b"",
            &program(&[1, 1])[..0x50],
        ] {
            assert_eq!(linked(other), Linked::Unknown);
        }
        let mut broken = program(&[1]);
        broken[32..40].fill(0xff);
        assert_eq!(linked(&broken), Linked::Unknown);
    }

    #[test]
    fn this_test_can_be_read() {
        let running = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        assert_eq!(linked(&running), Linked::Dynamically);
    }
}
