//! FLAC, by `claxon`.

use claxon::{FlacReader, FlacReaderOptions};

use super::{Gathered, narrowed};
use crate::Clip;

pub(super) fn decode(bytes: &[u8]) -> Result<Clip, String> {
    let wrong = |error: claxon::Error| format!("as FLAC: {error}");
    let options = FlacReaderOptions {
        // Pictures and titles are not heard.
        metadata_only: false,
        read_vorbis_comment: false,
    };
    let mut reader = FlacReader::new_ext(bytes, options).map_err(wrong)?;
    let info = reader.streaminfo();
    let mut gathered = Gathered::new(info.sample_rate, info.channels as usize)?;
    let mut blocks = reader.blocks();
    let mut buffer = Vec::new();
    while let Some(block) = blocks.read_next_or_eof(buffer).map_err(wrong)? {
        for at in 0..block.duration() {
            let channels = 0..block.channels();
            let moment = channels.map(|channel| block.sample(channel, at));
            gathered.take(moment.map(|sample| narrowed(sample, info.bits_per_sample)))?;
        }
        buffer = block.into_buffer();
    }
    Ok(gathered.clip)
}
