//! `permission_denied`: when a tool is refused without asking you.

use crate::announcement::announcement;
use crate::language::Words;
use crate::tell::{Moment, Priority, Said, Silence, Tell};
use crate::{Presets, Sound, Voice};

announcement! {
    /// The announcement when a tool is refused without asking you.
    on PermissionDenied("tool_name") {
        /// What is said; `{tool_name}` is the tool.
        pub message_template: String,
    }
}

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("error_deny", 0.4),
            voice: Voice::at(0.4),
            message_template: words.tool_denied.into(),
        }
    }
}

impl Tell for Config {
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        let tool = moment.tool_name();
        let name = tool.as_deref().unwrap_or(moment.words.some_tool);
        let text = moment.fill(&self.message_template, &[("tool_name", name)]);
        Ok(self.says(text, Priority::Failure))
    }
}
