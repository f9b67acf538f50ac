//! `pre_compact`: when the context is about to be compacted.

use crate::announcement::announcement;
use crate::language::Words;
use crate::preset::Switch as _;
use crate::tell::{Moment, Priority, Said, Silence, Tell};
use crate::{Presets, Sound, Voice};

announcement! {
    /// The announcement when the context is about to be compacted.
    on PreCompact() {
        /// What is said.
        pub message: String,
    }
}

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("blink", 0.2),
            voice: Voice::at(0.2),
            message: words.compacting.into(),
        }
    }

    fn calm(words: &Words) -> Self {
        Self::full(words).off()
    }
}

impl Tell for Config {
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        let text = moment.fill(&self.message, &[]);
        Ok(self.says(text, Priority::Info))
    }
}
