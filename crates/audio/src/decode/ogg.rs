//! OGG Vorbis, by `lewton`.

use std::io::Cursor;

use lewton::inside_ogg::OggStreamReader;
use lewton::samples::InterleavedSamples;

use super::Gathered;
use crate::Clip;

pub(super) fn decode(bytes: &[u8]) -> Result<Clip, String> {
    let wrong = |error: lewton::VorbisError| format!("as OGG Vorbis: {error}");
    let mut reader = OggStreamReader::new(Cursor::new(bytes)).map_err(wrong)?;
    let channels = usize::from(reader.ident_hdr.audio_channels);
    let mut gathered = Gathered::new(reader.ident_hdr.audio_sample_rate, channels)?;
    let mut next = || reader.read_dec_packet_generic::<InterleavedSamples<i16>>();
    while let Some(packet) = next().map_err(wrong)? {
        for moment in packet.samples.chunks_exact(channels) {
            gathered.take(moment.iter().copied())?;
        }
    }
    Ok(gathered.clip)
}
