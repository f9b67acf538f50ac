//! `session_start`: when a session begins.

use crate::announcement::announcement;
use crate::language::Words;
use crate::tell::{Moment, Priority, Said, Silence, Tell};
use crate::{Presets, Sound, Voice};

announcement! {
    /// The announcement when a session begins.
    on SessionStart() {
        /// What is said.
        pub message: String,
    }
}

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: false,
            sound: Sound::effect("ui_open_2", 0.2),
            voice: Voice::at(0.2),
            message: words.session_started.into(),
        }
    }
}

impl Tell for Config {
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        // The client begins a session anew, so to speak, when it has compacted it.
        if moment.event.detail.as_deref() == Some("compact") {
            return Err(Silence::Compaction);
        }
        let text = moment.fill(&self.message, &[]);
        Ok(self.says(text, Priority::Info))
    }
}
