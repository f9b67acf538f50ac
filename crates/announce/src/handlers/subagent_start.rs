//! `subagent_start`: when a subagent begins.

use crate::announcement::announcement;
use crate::language::Words;
use crate::preset::Switch as _;
use crate::tell::{Moment, Priority, Said, Silence, Tell};
use crate::{Presets, Sound, Voice};

announcement! {
    /// The announcement when a subagent begins.
    on SubagentStart("agent_type") {
        /// What is said; `{agent_type}` is its type.
        pub message_template: String,
    }
}

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("coin_simple", 0.2),
            voice: Voice::at(0.2),
            message_template: words.subagent_started.into(),
        }
    }

    fn calm(words: &Words) -> Self {
        Self::full(words).off()
    }
}

impl Tell for Config {
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        let kind = moment.event.agent.as_ref();
        let kind = Moment::spoken(kind.and_then(|agent| agent.kind.as_deref()));
        let name = kind.as_deref().unwrap_or(moment.words.some_agent);
        let text = moment.fill(&self.message_template, &[("agent_type", name)]);
        Ok(self.says(text, Priority::Info))
    }
}
