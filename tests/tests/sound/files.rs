//! Sound files of others: read apart, so that a bad one harms nobody.

use anyhow::{Context as _, Result};
use bellwether_audio::decode::Decoder;
use bellwether_tests::Programs;
use bellwether_tests::sound::sealed;

/// A fixture of the crate that reads them.
fn fixture(name: &str) -> Result<Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/audio/fixtures");
    Ok(std::fs::read(format!("{folder}/{name}"))?)
}

#[test]
fn foreign_files_are_decoded_in_a_process_of_their_own() -> Result<()> {
    let apart = Decoder::Apart(Programs::built()?.main());
    for name in ["blink.wav", "blink.mp3", "blink.ogg", "blink.flac"] {
        let bytes = fixture(name)?;
        assert_eq!(apart.decode(&bytes), Decoder::Here.decode(&bytes), "{name}");
    }
    let half = &fixture("blink.flac")?[..60];
    let (here, there) = (Decoder::Here.decode(half), apart.decode(half));
    assert!(here.is_err());
    assert_eq!(there, here);
    Ok(())
}

#[test]
fn a_file_that_breaks_its_reader_breaks_nobody_else() -> Result<()> {
    let apart = Decoder::Apart(Programs::built()?.main());
    let mut bytes = fixture("blink.ogg")?;
    // The second packet holds comments; a file may say that there are four thousand million of them.
    let comments = bytes
        .windows(7)
        .position(|window| window == b"\x03vorbis")
        .context("no comments")?;
    let vendor = u32::from_le_bytes(bytes[comments + 7..comments + 11].try_into()?);
    let count = comments + 11 + usize::try_from(vendor)?;
    bytes[count..count + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(
        apart.decode(&sealed(&bytes)),
        Err("it breaks what reads it".to_owned())
    );
    Ok(())
}
