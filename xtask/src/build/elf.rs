//! Whether a program needs the system's loader: its program headers say so (`PT_INTERP`).

use std::fmt;
use std::path::Path;

use anyhow::{Context as _, Result};

/// A program header that names the loader.
const PT_INTERP: u32 = 3;

/// How a program was linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Linked {
    /// It starts without help.
    Statically,
    /// The system's loader starts it.
    Dynamically,
    /// The file is of another kind.
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

/// How the program in a file was linked.
pub(super) fn linked(path: &Path) -> Result<Linked> {
    let bytes = std::fs::read(path).with_context(|| format!("read {}", path.display()))?;
    Ok(look(&bytes).unwrap_or(Linked::Unknown))
}

/// Where the headers' table is described: offset, size of an entry, number of entries.
struct Layout {
    table: usize,
    table_width: usize,
    entry_size: usize,
    entries: usize,
}

const ELF_32: Layout = Layout {
    table: 0x1c,
    table_width: 4,
    entry_size: 0x2a,
    entries: 0x2c,
};
const ELF_64: Layout = Layout {
    table: 0x20,
    table_width: 8,
    entry_size: 0x36,
    entries: 0x38,
};

fn look(bytes: &[u8]) -> Option<Linked> {
    let little_endian = 1;
    if !bytes.starts_with(b"\x7fELF") || *bytes.get(5)? != little_endian {
        return None;
    }
    let layout = if *bytes.get(4)? == 2 { ELF_64 } else { ELF_32 };
    let table = number(bytes, layout.table, layout.table_width)?;
    let size = number(bytes, layout.entry_size, 2)?;
    for entry in 0..number(bytes, layout.entries, 2)? {
        let kind = number(bytes, table.checked_add(entry * size)?, 4)?;
        if kind == usize::try_from(PT_INTERP).ok()? {
            return Some(Linked::Dynamically);
        }
    }
    Some(Linked::Statically)
}

/// A little-endian number.
fn number(bytes: &[u8], at: usize, width: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(width)?)?;
    let number = bytes
        .iter()
        .rev()
        .fold(0_u64, |sum, byte| (sum << 8) | u64::from(*byte));
    usize::try_from(number).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A 64-bit file with program headers of the given kinds.
    fn file(kinds: &[u32]) -> Vec<u8> {
        let mut bytes = vec![0; 0x40];
        bytes[..6].copy_from_slice(b"\x7fELF\x02\x01");
        bytes[0x20] = 0x40;
        bytes[0x36] = 0x38;
        bytes[0x38] = u8::try_from(kinds.len()).unwrap();
        for kind in kinds {
            bytes.extend_from_slice(&kind.to_le_bytes());
            bytes.extend_from_slice(&[0; 0x34]);
        }
        bytes
    }

    #[test]
    fn a_loader_is_noticed() {
        assert_eq!(look(&file(&[1, 3])), Some(Linked::Dynamically));
        assert_eq!(look(&file(&[1, 2])), Some(Linked::Statically));
    }

    #[test]
    fn anything_else_is_unknown() {
        assert_eq!(look(b"#!/bin/sh\n"), None);
        assert_eq!(look(b"\x7fELF"), None);
        assert_eq!(look(&file(&[1, 1])[..0x50]), None);
    }

    #[test]
    fn this_test_can_be_read() {
        let running = std::env::current_exe().unwrap();
        assert!(linked(&running).is_ok());
    }
}
