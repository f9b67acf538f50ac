//! A clip as a WAV file.

use crate::Clip;

/// The bytes of a WAV file with a clip's samples.
pub fn wav(clip: &Clip) -> Vec<u8> {
    let size = u32::try_from(clip.samples.len() * 2).unwrap_or(u32::MAX - 36);
    let (rate, channels) = (clip.format.rate, u16::from(clip.format.channels));
    let mut bytes = Vec::with_capacity(44 + clip.samples.len() * 2);
    bytes.extend_from_slice(b"RIFF");
    bytes.extend_from_slice(&(size + 36).to_le_bytes());
    bytes.extend_from_slice(b"WAVEfmt \x10\0\0\0\x01\0");
    bytes.extend_from_slice(&channels.to_le_bytes());
    bytes.extend_from_slice(&rate.to_le_bytes());
    bytes.extend_from_slice(&(rate * 2 * u32::from(channels)).to_le_bytes());
    bytes.extend_from_slice(&(channels * 2).to_le_bytes());
    bytes.extend_from_slice(b"\x10\0data");
    bytes.extend_from_slice(&size.to_le_bytes());
    bytes.extend(clip.samples.iter().flat_map(|it| it.to_le_bytes()));
    bytes
}
