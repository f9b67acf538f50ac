//! What the readers of sound files are fed with. They are other people's code: what one of them breaks is the
//! process that was started for it, as in the shipped program, and never this one.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use bellwether_audio::decode::Decoder;
use bellwether_tests::sound::sealed;

use super::target::{Target, hold};
use crate::workspace::Workspace;

/// No effect is longer.
const LONGEST: Duration = Duration::from_secs(31);

const ROW: &str = "a row of the table in crates/audio/src/decode/mod.rs";

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "sound",
        row: ROW,
        check: |_, input| sound(input),
    },
    Target {
        name: "sealed",
        row: ROW,
        check: |_, input| sound(&sealed(input)),
    },
];

/// What the formats begin their parts with, and numbers at the edge.
pub(super) const TOKENS: &[&[u8]] = &[
    b"RIFF",
    b"WAVE",
    b"fmt ",
    b"data",
    b"OggS",
    b"\x01vorbis",
    b"\x05vorbis",
    b"BCV",
    b"fLaC",
    b"ID3",
    b"Xing",
    b"LAME",
    b"\xff\xfb",
    b"\xff\xf3",
    b"\xff\xf8",
    b"\x00\x00\x00\x00",
    b"\xff\xff\xff\xff",
    b"\xff\xff\xff\x7f",
    b"\x00",
    b"\xff",
    b"\x80",
];

/// The files that the tests read; the larger ones as their beginnings.
pub(super) fn seeds(workspace: &Workspace) -> Result<Vec<Vec<u8>>> {
    let folder = workspace.root.join("crates/audio/fixtures");
    let listed =
        std::fs::read_dir(&folder).with_context(|| format!("list {}", folder.display()))?;
    let mut seeds = Vec::new();
    for entry in listed {
        let path = entry?.path();
        if path.is_file() {
            let mut bytes = std::fs::read(path)?;
            bytes.truncate(8 * 1024);
            seeds.push(bytes);
        }
    }
    ensure!(seeds.len() > 5, "there are no sound files to damage");
    Ok(seeds)
}

/// This program, which knows how to; a test does not.
fn decoder() -> Decoder {
    if cfg!(test) {
        Decoder::Here
    } else {
        Decoder::of_program()
    }
}

/// Whatever the bytes are, they become a clip of bounded length or a reason.
fn sound(input: &[u8]) -> Result<(), String> {
    match decoder().decode(input) {
        Ok(clip) => hold(clip.duration() < LONGEST, "is longer than it may be"),
        Err(reason) => hold(!reason.is_empty(), "fails without a word"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_whole_keeps_its_check_sums() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/audio/fixtures/");
        let whole = std::fs::read(format!("{folder}blink.ogg")).unwrap();
        assert_eq!(sealed(&whole), whole);
        for target in TARGETS {
            let folder = std::path::Path::new("/");
            assert_eq!((target.check)(folder, &whole), Ok(()), "{}", target.name);
        }
    }
}
