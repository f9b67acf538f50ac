//! `teammate_idle`: when a teammate has nothing to do.

use crate::announcement::announcement;
use crate::language::Words;
use crate::tell::{Moment, Priority, Said, Silence, Tell};
use crate::{Presets, Sound, Voice};

announcement! {
    /// The announcement when a teammate has nothing to do.
    on TeammateIdle("teammate_name") {
        /// What is said; `{teammate_name}` is its name.
        pub message_template: String,
    }
}

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("marimba_nudge_1", 0.5),
            voice: Voice::at(0.5),
            message_template: words.teammate_idle.into(),
        }
    }
}

impl Tell for Config {
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        let agent = moment.event.agent.as_ref();
        let name = agent.and_then(|agent| agent.name.as_deref().or(agent.kind.as_deref()));
        let name = Moment::spoken(name).unwrap_or_else(|| moment.words.some_teammate.to_owned());
        let known = moment.agent_name().unwrap_or_else(|| name.clone());
        if moment.session.teammate_idle(&known, moment.now_ms) {
            return Err(Silence::AlreadyTold);
        }
        let text = moment.fill(&self.message_template, &[("teammate_name", &name)]);
        Ok(self.says(text, Priority::Info))
    }
}
