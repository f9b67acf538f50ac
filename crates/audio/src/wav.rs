//! Clips as WAV files.

use crate::{Clip, Format};

/// A clip as a WAV file.
pub fn encode(clip: &Clip) -> Vec<u8> {
    let bytes: Vec<u8> = clip.samples.iter().flat_map(|s| s.to_le_bytes()).collect();
    let mut file = header(clip.format, bytes.len());
    file.extend(bytes);
    file
}

/// What stands before so many bytes of samples.
pub(crate) fn header(format: Format, length: usize) -> Vec<u8> {
    let length = u32::try_from(length).unwrap_or(u32::MAX - 36);
    let frame = u16::from(format.channels) * 2;
    let mut header = Vec::with_capacity(44);
    header.extend(b"RIFF");
    header.extend((length + 36).to_le_bytes());
    header.extend(b"WAVEfmt ");
    header.extend(16_u32.to_le_bytes());
    header.extend(1_u16.to_le_bytes());
    header.extend(u16::from(format.channels).to_le_bytes());
    header.extend(format.rate.to_le_bytes());
    header.extend((format.rate * u32::from(frame)).to_le_bytes());
    header.extend(frame.to_le_bytes());
    header.extend(16_u16.to_le_bytes());
    header.extend(b"data");
    header.extend(length.to_le_bytes());
    header
}
