//! `post_tool_use_failure`: when a tool fails.

use crate::announcement::announcement;
use crate::language::Words;
use crate::preset::Switch as _;
use crate::tell::{Marker, Moment, Priority, Said, Silence, Tell};
use crate::{Presets, Sound, Voice};

announcement! {
    /// The announcement when a tool fails.
    on PostToolUseFailure("tool_name") {
        /// What is said; `{tool_name}` is the tool.
        pub message_template: String,
    }
}

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("error_buzz", 0.2),
            voice: Voice::at(0.2),
            message_template: words.tool_failed.into(),
        }
    }

    fn calm(words: &Words) -> Self {
        Self::full(words).off()
    }
}

impl Tell for Config {
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        if moment.tool().is_some_and(|tool| tool.interrupted) {
            return Err(Silence::Interrupted);
        }
        let now_ms = moment.now_ms;
        moment.session.markers.mark(Marker::ToolFailure, now_ms);
        let tool = moment.tool_name();
        let name = tool.as_deref().unwrap_or(moment.words.some_tool);
        let text = moment.fill(&self.message_template, &[("tool_name", name)]);
        Ok(self.says(text, Priority::Failure))
    }
}
