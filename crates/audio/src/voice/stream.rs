//! Bytes that arrive in pieces become samples: bare ones, or a WAV whose length nobody knows yet.

use crate::Format;

/// A head longer than this is no WAV's.
const LONGEST_HEAD: usize = 64 * 1024;

/// What the bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SampleKind {
    /// Bare 16-bit samples, little end first.
    Raw(Format),
    /// A WAV that says its format itself.
    Wav,
}

/// The bytes so far.
pub(super) struct Stream {
    format: Option<Format>,
    rest: Vec<u8>,
}

impl Stream {
    pub(super) fn new(kind: SampleKind) -> Self {
        let format = match kind {
            SampleKind::Raw(format) => Some(format),
            SampleKind::Wav => None,
        };
        Self {
            format,
            rest: Vec::new(),
        }
    }

    /// How the samples are to be read, once that is known.
    pub(super) fn format(&self) -> Option<Format> {
        self.format
    }

    /// Takes the next bytes and gives the samples that are whole.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<Vec<i16>, String> {
        self.rest.extend_from_slice(bytes);
        if self.format.is_none() {
            let Some((format, begin)) = head(&self.rest)? else {
                return Ok(Vec::new());
            };
            self.format = Some(format);
            self.rest.drain(..begin);
        }
        let (pairs, odd) = self.rest.as_chunks::<2>();
        let samples = pairs.iter().map(|pair| i16::from_le_bytes(*pair)).collect();
        self.rest = odd.to_vec();
        Ok(samples)
    }
}

/// The format in a WAV's head and where its samples begin; none while the head is not complete.
fn head(bytes: &[u8]) -> Result<Option<(Format, usize)>, String> {
    if bytes.len() > LONGEST_HEAD {
        return Err("a WAV without samples".to_owned());
    }
    let start = &bytes[..bytes.len().min(4)];
    if !b"RIFF".starts_with(start) || bytes.get(8..12).is_some_and(|it| it != b"WAVE") {
        return Err("no WAV".to_owned());
    }
    let (mut at, mut format) = (12, None);
    loop {
        let Some(chunk) = bytes.get(at..at + 8) else {
            return Ok(None);
        };
        let (name, length) = (&chunk[..4], number(&chunk[4..]));
        at += 8;
        match (name, format) {
            (b"data", Some(format)) => return Ok(Some((format, at))),
            (b"data", None) => return Err("a WAV without a format".to_owned()),
            (b"fmt ", _) => match bytes.get(at..at + 16) {
                Some(fields) => format = Some(read_format(fields)?),
                None => return Ok(None),
            },
            _ => {}
        }
        at += length + length % 2;
    }
}

fn read_format(fields: &[u8]) -> Result<Format, String> {
    let (kind, channels) = (number(&fields[..2]), number(&fields[2..4]));
    let (rate, bits) = (number(&fields[4..8]), number(&fields[14..16]));
    // 0xfffe is the extensible head, which of 16 bits says the same.
    if !matches!(kind, 1 | 0xfffe) || bits != 16 || !matches!(channels, 1 | 2) {
        return Err(format!(
            "a WAV of kind {kind} with {channels} channels of {bits} bits"
        ));
    }
    let rate = u32::try_from(rate).unwrap_or_default();
    if !(4_000..=192_000).contains(&rate) {
        return Err(format!("a WAV of {rate} samples a second"));
    }
    let channels = if channels == 1 { 1 } else { 2 };
    Ok(Format { rate, channels })
}

fn number(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .rev()
        .fold(0, |sum, byte| sum << 8 | usize::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wav(extra: &[u8]) -> Vec<u8> {
        let mut bytes = b"RIFF\xff\xff\xff\xffWAVE".to_vec();
        bytes.extend_from_slice(extra);
        bytes.extend_from_slice(b"fmt \x10\0\0\0\x01\0\x01\0");
        bytes.extend_from_slice(&22_050u32.to_le_bytes());
        bytes.extend_from_slice(&44_100u32.to_le_bytes());
        bytes.extend_from_slice(b"\x02\0\x10\0data\xff\xff\xff\xff");
        bytes.extend_from_slice(&[1, 0, 2, 0, 3, 0]);
        bytes
    }

    #[test]
    fn a_wav_is_read_in_pieces_of_any_size() {
        for bytes in [wav(b""), wav(b"LIST\x03\0\0\0abc\0")] {
            for size in 1..bytes.len() {
                let mut stream = Stream::new(SampleKind::Wav);
                let mut samples = Vec::new();
                for piece in bytes.chunks(size) {
                    samples.extend(stream.push(piece).unwrap());
                }
                assert_eq!(samples, [1, 2, 3]);
                assert_eq!(stream.format(), Some(Format::mono(22_050)));
            }
        }
    }

    #[test]
    fn what_is_no_wav_is_refused_at_once() {
        let refused = |bytes: &[u8]| Stream::new(SampleKind::Wav).push(bytes).is_err();
        assert!(refused(b"{\"error\":1}"));
        assert!(refused(b"ID3"));
        assert!(refused(b"RIFF\0\0\0\0AVI "));
        let mut eight_bits = wav(b"");
        eight_bits[34] = 8;
        assert!(refused(&eight_bits));
        assert!(refused(
            &[b"RIFF\0\0\0\0WAVE".as_slice(), &vec![0; 70_000]].concat()
        ));
    }

    #[test]
    fn half_a_sample_waits_for_its_other_half() {
        let mut stream = Stream::new(SampleKind::Raw(Format::mono(8_000)));
        assert_eq!(stream.push(&[1]).unwrap(), [0i16; 0]);
        assert_eq!(stream.push(&[0, 2, 0, 3]).unwrap(), [1, 2]);
        assert_eq!(stream.push(&[0]).unwrap(), [3]);
    }
}
