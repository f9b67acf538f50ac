//! MP3, by `nanomp3`.

use nanomp3::SliceReader;

use super::Gathered;
use crate::Clip;

pub(super) fn decode(bytes: &[u8]) -> Result<Clip, String> {
    let mut reader = SliceReader::<i16>::new(bytes);
    let channels = reader.channels().ok_or("there is no sound in it")?;
    let channels = usize::from(channels.num());
    let mut gathered = Gathered::new(reader.sample_rate(), channels)?;
    loop {
        match reader.read_frame() {
            Ok(Some(frame)) => {
                for moment in frame.chunks_exact(channels) {
                    gathered.take(moment.iter().copied())?;
                }
            }
            Ok(None) => return Ok(gathered.clip),
            Err(error) => return Err(format!("as MP3: {error}")),
        }
    }
}
