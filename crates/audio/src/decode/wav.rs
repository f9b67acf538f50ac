//! WAV: chunks, of which one says how the other is to be read.

use super::{Gathered, narrowed, whole};
use crate::Clip;

const PCM: u16 = 1;
const FLOAT: u16 = 3;
/// The real format stands further behind.
const EXTENSIBLE: u16 = 0xFFFE;

/// How samples are written.
struct Layout {
    kind: u16,
    channels: u16,
    rate: u32,
    bits: u16,
}

pub(super) fn decode(bytes: &[u8]) -> Result<Clip, String> {
    let mut layout = None;
    for (name, body) in Chunks(bytes.get(12..).unwrap_or_default()) {
        match name {
            b"fmt " => layout = Layout::read(body),
            b"data" => {
                let layout = layout.ok_or("it has no format")?;
                return layout.samples(body);
            }
            _ => {}
        }
    }
    Err(match layout {
        Some(_) => "there is no sound in it".to_owned(),
        None => "it has no format".to_owned(),
    })
}

/// The chunks of a file. One that says to be longer than the file ends with it, as of a recording that
/// was cut off.
struct Chunks<'a>(&'a [u8]);

impl<'a> Iterator for Chunks<'a> {
    type Item = (&'a [u8; 4], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, rest) = self.0.split_first_chunk::<4>()?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let (body, rest) = rest.split_at(length.min(rest.len()));
        // Chunks begin at even places.
        self.0 = rest.get(length % 2..).unwrap_or_default();
        Some((name, body))
    }
}

impl Layout {
    fn read(body: &[u8]) -> Option<Self> {
        let short = |at: usize| Some(u16::from_le_bytes(body.get(at..at + 2)?.try_into().ok()?));
        let long = |at: usize| Some(u32::from_le_bytes(body.get(at..at + 4)?.try_into().ok()?));
        let kind = short(0)?;
        Some(Self {
            kind: if kind == EXTENSIBLE { short(24)? } else { kind },
            channels: short(2)?,
            rate: long(4)?,
            bits: short(14)?,
        })
    }

    fn samples(&self, body: &[u8]) -> Result<Clip, String> {
        let read: fn(&[u8]) -> i16 = match (self.kind, self.bits) {
            (PCM, 8) => |byte| narrowed(i32::from(byte[0]) - 128, 8),
            (PCM, 16) => |bytes| i16::from_le_bytes([bytes[0], bytes[1]]),
            (PCM, 24) => |bytes| i16::from_le_bytes([bytes[1], bytes[2]]),
            (PCM, 32) => |bytes| i16::from_le_bytes([bytes[2], bytes[3]]),
            (FLOAT, 32) => {
                |bytes| whole(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            }
            (kind, bits) => return Err(format!("its samples are of kind {kind} with {bits} bits")),
        };
        let mut gathered = Gathered::new(self.rate, self.channels.into())?;
        let width = usize::from(self.bits / 8);
        for moment in body.chunks_exact(width * usize::from(self.channels)) {
            gathered.take(moment.chunks_exact(width).map(read))?;
        }
        Ok(gathered.clip)
    }
}
