//! How the hook is linked: a static one needs no loader, and cannot be given another library.

use std::io::{self, Read as _};
use std::path::Path;

use rustix::fs::{CWD, OFlags};

use super::{Context, Finding};
use crate::doctor::file;

pub(super) const ABOUT: &str = "the hook is linked statically, so that it starts at once";

/// Linkers put the headers at the very beginning.
const BEGINNING: u64 = 64 << 10;

/// What a program's headers say.
#[derive(Debug, PartialEq, Eq)]
enum Linking {
    Static,
    Dynamic,
    /// Another format than ELF, as on macOS, where static programs do not exist.
    Elsewhere,
}

pub(super) fn run(context: &Context<'_>) -> Vec<Finding> {
    let hook = context.hook_program();
    vec![match look(&hook) {
        Ok(Linking::Static) => Finding::good("the hook is static"),
        Ok(Linking::Elsewhere) => Finding::good("programs of this system are always linked dynamically"),
        Ok(Linking::Dynamic) => Finding::warning(
            "the hook is linked dynamically: it takes about a third longer at every event, and obeys LD_PRELOAD from a project's settings",
        )
        .advise("install libc6-dev (on other systems: the static C library), then rebuild with `cargo xtask build`"),
        Err(error) => Finding::note(format!("{}: {error}", hook.display())),
    }]
}

fn look(program: &Path) -> io::Result<Linking> {
    let mut bytes = Vec::new();
    file::open_regular(CWD, program, OFlags::empty())?
        .take(BEGINNING)
        .read_to_end(&mut bytes)?;
    Ok(linking(&bytes))
}

/// A program that wants a loader names it in a header of type `PT_INTERP`.
fn linking(bytes: &[u8]) -> Linking {
    const PT_INTERP: u64 = 3;
    if !bytes.starts_with(b"\x7fELF") {
        return Linking::Elsewhere;
    }
    let (wide, big) = (bytes.get(4) == Some(&2), bytes.get(5) == Some(&2));
    let number = |at: u64, length: usize| number(bytes, at, length, big);
    // Offset of the headers, length of one, and their number: in 64 bits, in 32 bits.
    let headers = if wide {
        (number(32, 8), number(54, 2), number(56, 2))
    } else {
        (number(28, 4), number(42, 2), number(44, 2))
    };
    let (Some(first), Some(length), Some(count)) = headers else {
        return Linking::Elsewhere;
    };
    let interpreted = (0..count).any(|index| {
        let at = first.saturating_add(index.saturating_mul(length));
        number(at, 4) == Some(PT_INTERP)
    });
    if interpreted {
        Linking::Dynamic
    } else {
        Linking::Static
    }
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
        assert_eq!(linking(&program(&[1, 2, 6])), Linking::Static);
        assert_eq!(linking(&program(&[6, 3, 1])), Linking::Dynamic);
        assert_eq!(linking(b"#!/bin/sh"), Linking::Elsewhere);
        assert_eq!(linking(b"\x7fELF"), Linking::Elsewhere);
        assert_eq!(linking(b""), Linking::Elsewhere);
    }

    #[test]
    fn this_test_and_headers_out_of_bounds() {
        assert_eq!(
            look(&std::env::current_exe().unwrap()).unwrap(),
            Linking::Dynamic
        );
        let mut broken = program(&[1]);
        broken[32..40].fill(0xff);
        assert_eq!(linking(&broken), Linking::Static);
    }
}
