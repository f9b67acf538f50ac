//! `post_compact`: when the context was compacted.

use crate::announcement::announcement;
use crate::language::Words;
use crate::tell::{Moment, Priority, Said, Silence, Tell};
use crate::{Presets, Sound, Voice};

announcement! {
    /// The announcement when the context was compacted.
    on PostCompact() {
        /// What is said.
        pub message: String,
    }
}

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: false,
            sound: Sound::effect("blink", 0.2),
            voice: Voice::at(0.2),
            message: words.compacted.into(),
        }
    }
}

impl Tell for Config {
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        let text = moment.fill(&self.message, &[]);
        Ok(self.says(text, Priority::Info))
    }
}
