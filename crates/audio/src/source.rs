//! Where samples come from: a clip that is there, or speech that is still being made.

use crate::{AudioError, Clip, Format};

/// Samples, a chunk at a time.
pub trait Source: Send {
    /// How the samples are to be read.
    fn format(&self) -> Format;

    /// Waits for the next chunk; none means that the sound is over. After an error nothing more comes.
    fn next(&mut self) -> Result<Option<Vec<i16>>, AudioError>;
}

impl Source for Clip {
    fn format(&self) -> Format {
        self.format
    }

    fn next(&mut self) -> Result<Option<Vec<i16>>, AudioError> {
        let all = std::mem::take(&mut self.samples);
        Ok((!all.is_empty()).then_some(all))
    }
}
