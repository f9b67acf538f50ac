//! `user_prompt_submit`: when you have sent a prompt.

use crate::announcement::announcement;
use crate::language::Words;
use crate::tell::{Moment, Priority, Said, Silence, Tell, is_typed};
use crate::{Presets, Sound, Voice};

announcement! {
    /// The announcement when you have sent a prompt.
    on UserPromptSubmit() {}
}

impl Presets for Config {
    fn full(_: &Words) -> Self {
        Self {
            enabled: false,
            sound: Sound {
                volume: 0.2,
                ..Sound::off()
            },
            voice: Voice::at(0.2).off(),
        }
    }
}

impl Tell for Config {
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        if !is_typed(moment.event) {
            return Err(Silence::NotTyped);
        }
        // You know what you have said: only the effect is for you.
        let mut said = self.says("", Priority::Info);
        said.voice = said.voice.off();
        Ok(said)
    }
}
