//! `session_end`: when a session ends.

use crate::announcement::announcement;
use crate::language::Words;
use crate::tell::{Moment, Priority, Said, Silence, Tell};
use crate::{Presets, Sound, Voice};

announcement! {
    /// The announcement when a session ends.
    on SessionEnd() {
        /// What is said.
        pub message: String,
    }
}

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: false,
            sound: Sound::effect("ui_open_3", 0.2),
            voice: Voice::at(0.2),
            message: words.session_ended.into(),
        }
    }
}

impl Tell for Config {
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        let text = moment.fill(&self.message, &[]);
        Ok(self.says(text, Priority::Info))
    }
}
