//! `guard_refusal`: when the guard refuses what the agent wants to do.

use crate::announcement::announcement;
use crate::language::Words;
use crate::tell::{Moment, Priority, Said, Silence, Tell};
use crate::{Presets, Sound, Voice};

announcement! {
    /// The announcement when the guard refuses a tool call.
    on PreToolUse("tool_name", "rule") {
        /// What is said; `{tool_name}` is the tool, `{rule}` the rule that was against it.
        pub message_template: String,
    }
}

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("marimba_warning", 0.3),
            voice: Voice::at(0.3),
            message_template: words.guard_refused.into(),
        }
    }

    /// The agent hears why and goes on by itself: a sound is enough.
    fn calm(words: &Words) -> Self {
        Self {
            voice: Voice::at(0.3).off(),
            ..Self::full(words)
        }
    }
}

impl Tell for Config {
    fn concerns(&self, moment: &Moment<'_>) -> bool {
        moment.refused_by.is_some()
    }

    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        if moment.session.refused(moment.now_ms) {
            return Err(Silence::Merged);
        }
        let tool = moment.tool_name();
        let rule = moment.refused_by.and_then(|rules| rules.first());
        // A rule's identifier is words with hyphens between them.
        let rule = Moment::spoken(rule.map(|rule| rule.replace('-', " ")).as_deref());
        let values = [
            (
                "tool_name",
                tool.as_deref().unwrap_or(moment.words.some_tool),
            ),
            ("rule", rule.as_deref().unwrap_or(moment.words.some_rule)),
        ];
        let text = moment.fill(&self.message_template, &values);
        Ok(self.says(text, Priority::Failure))
    }
}
