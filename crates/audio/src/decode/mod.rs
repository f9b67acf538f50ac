//! Sound files: WAV, MP3, OGG Vorbis and FLAC become clips. What a file is decides its beginning, never its name.
//!
//! Invariant: no file is read that is not a regular one, larger than 16 MiB or longer than 30 s, and what other
//! people's readers make of it happens in a process of its own ([`Decoder`]).

mod decoder;
mod flac;
mod mp3;
mod ogg;
mod wav;

use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use crate::{AudioError, Clip, Format};
pub use decoder::{Decoder, serve};

/// A larger file is no effect.
const LARGEST: u64 = 16 * 1024 * 1024;
/// A longer one neither, in seconds.
const LONGEST: u32 = 30;
/// The rates that sound servers take.
const RATES: std::ops::RangeInclusive<u32> = 4_000..=384_000;

pub fn load(path: &Path, decoder: &Decoder) -> Result<Clip, AudioError> {
    let nonblocking = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let file = File::options()
        .read(true)
        .custom_flags(nonblocking)
        .open(path);
    let file = file.map_err(|error| complain(path, error.to_string()))?;
    contents(&file, LARGEST)
        .and_then(|bytes| decoder.decode(&bytes))
        .map_err(|reason| complain(path, reason))
}

/// The bytes of an open file, if it is one and small enough.
pub(crate) fn contents(file: &File, largest: u64) -> Result<Vec<u8>, String> {
    let found = file.metadata().map_err(|error| error.to_string())?;
    if !found.is_file() {
        return Err("it is not a file".to_owned());
    }
    let mut bytes = Vec::new();
    let read = file.take(largest + 1).read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    if bytes.len() as u64 > largest {
        return Err(format!("it is larger than {} MiB", largest >> 20));
    }
    Ok(bytes)
}

/// What a sound file holds, or why it cannot be told.
pub fn decode(bytes: &[u8]) -> Result<Clip, String> {
    let kind = FileKind::of(bytes).ok_or("it is no WAV, MP3, OGG Vorbis or FLAC")?;
    let clip = match kind {
        FileKind::Wav => wav::decode(bytes),
        FileKind::Mp3 => mp3::decode(bytes),
        FileKind::Ogg => ogg::decode(bytes),
        FileKind::Flac => flac::decode(bytes),
    }?;
    if clip.samples.is_empty() {
        return Err("there is no sound in it".to_owned());
    }
    Ok(clip)
}

/// The formats that we read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    Wav,
    Mp3,
    Ogg,
    Flac,
}

impl FileKind {
    /// Tells a format by the first bytes.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [
                b'R',
                b'I',
                b'F',
                b'F',
                _,
                _,
                _,
                _,
                b'W',
                b'A',
                b'V',
                b'E',
                ..,
            ] => Some(Self::Wav),
            [b'O', b'g', b'g', b'S', ..] => Some(Self::Ogg),
            [b'f', b'L', b'a', b'C', ..] => Some(Self::Flac),
            // The second byte of an MPEG frame has its layer, which is never 0.
            [b'I', b'D', b'3', ..] => Some(Self::Mp3),
            [0xFF, second, ..] if second & 0xE0 == 0xE0 && second & 0x06 != 0 => Some(Self::Mp3),
            _ => None,
        }
    }

    /// The format that a file of such a name should have.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "wav" => Some(Self::Wav),
            "mp3" => Some(Self::Mp3),
            "ogg" | "oga" => Some(Self::Ogg),
            "flac" => Some(Self::Flac),
            _ => None,
        }
    }
}

/// Gathers samples of at most two channels, for at most as long as an effect may last.
struct Gathered {
    clip: Clip,
    most: usize,
}

impl Gathered {
    fn new(rate: u32, channels: usize) -> Result<Self, String> {
        if !RATES.contains(&rate) {
            return Err(format!("it has {rate} samples a second"));
        }
        let channels = match channels {
            0 => return Err("it has no channels".to_owned()),
            1 => 1,
            _ => 2,
        };
        let format = Format { rate, channels };
        Ok(Self {
            clip: Clip {
                format,
                samples: Vec::new(),
            },
            most: rate as usize * LONGEST as usize * usize::from(channels),
        })
    }

    /// Takes the samples of one moment; channels behind the second are left out.
    fn take(&mut self, moment: impl Iterator<Item = i16>) -> Result<(), String> {
        let channels = usize::from(self.clip.format.channels);
        self.clip.samples.extend(moment.take(channels));
        if self.clip.samples.len() > self.most {
            return Err(format!("it is longer than {LONGEST} s"));
        }
        Ok(())
    }
}

/// A sample of another width.
fn narrowed(sample: i32, bits: u32) -> i16 {
    let wide = i64::from(sample);
    let sample = match bits {
        0..16 => wide << (16 - bits),
        _ => wide >> (bits - 16).min(32),
    };
    i16::try_from(sample.clamp(i16::MIN.into(), i16::MAX.into())).unwrap_or_default()
}

/// A sample between -1 and 1.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the cast saturates, and what is no number becomes silence"
)]
fn whole(sample: f32) -> i16 {
    (sample * 32_768.0).round() as i16
}

fn complain(path: &Path, reason: String) -> AudioError {
    AudioError::File {
        path: path.to_owned(),
        reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixture(name: &str) -> Clip {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
        load(&folder.join(name), &Decoder::Here).unwrap()
    }

    /// How much of a clip is another: 1.0 when they have one shape.
    fn likeness(one: &Clip, other: &Clip) -> f64 {
        let pairs = || one.samples.iter().zip(&other.samples);
        let sum = |of: fn(f64, f64) -> f64| -> f64 {
            pairs().map(|(a, b)| of((*a).into(), (*b).into())).sum()
        };
        sum(|a, b| a * b) / (sum(|a, _| a * a) * sum(|_, b| b * b)).sqrt()
    }

    /// One effect, written by other people's encoders (lame, oggenc, flac, sox).
    #[test]
    fn every_format_comes_back_as_what_it_was() {
        let blink = fixture("blink.wav");
        for (name, like) in [
            ("blink.flac", 1.0),
            ("blink-24.wav", 0.999_9),
            ("blink-8.wav", 0.99),
            ("blink-float.wav", 0.999_9),
            ("blink.ogg", 0.99),
            ("blink.mp3", 0.99),
        ] {
            let clip = fixture(name);
            assert_eq!(clip.format, blink.format, "{name}");
            let off = clip.samples.len().abs_diff(blink.samples.len());
            assert!(off < 1_200, "{name} is {off} samples off");
            let likeness = likeness(&clip, &blink);
            assert!(likeness >= like - 1e-9, "{name}: {likeness}");
        }
    }

    #[test]
    fn stereo_stays_and_more_is_cut_down_to_it() {
        let stereo = Format {
            rate: 44_100,
            channels: 2,
        };
        assert_eq!(fixture("stereo.ogg").format, stereo);
        assert_eq!(fixture("stereo.mp3").format, stereo);
        let four = fixture("four.flac");
        assert_eq!(four.format.channels, 2);
        assert_eq!(four.samples.len() % 2, 0);
    }

    #[test]
    fn what_is_no_sound_is_said() {
        for (bytes, reason) in [
            (&b""[..], "no WAV"),
            (b"#!/bin/sh", "no WAV"),
            (b"RIFF\0\0\0\0WAVE", "no format"),
            (b"OggS", "OGG"),
            (b"fLaC", "FLAC"),
            (b"ID3", "no sound"),
        ] {
            let said = decode(bytes).unwrap_err();
            assert!(said.contains(reason), "{said}");
        }
        let folder = tempfile::tempdir().unwrap();
        let said = load(folder.path(), &Decoder::Here).unwrap_err().to_string();
        assert!(said.ends_with("it is not a file"), "{said}");
    }
}
