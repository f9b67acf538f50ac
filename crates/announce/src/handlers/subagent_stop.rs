//! `subagent_stop`: when a subagent has finished.

use crate::announcement::announcement;
use crate::language::Words;
use crate::tell::{Marker, Moment, Priority, Said, Silence, Tell};
use crate::{Presets, Sound, Voice, summarise};

announcement! {
    /// The announcement when a subagent has finished.
    on SubagentStop("agent_type", "summary") {
        /// What is said; `{agent_type}` is its type, `{summary}` the beginning of what it said last.
        pub message_template: String,
        /// What is said of one without a type; empty: the template, with a word for it.
        pub fallback_message: String,
        /// Ends within so many seconds of one that was told are told with it.
        #[schemars(range(min = 0, max = 3_600))]
        pub merge_seconds: u32,
    }
}

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("marimba_complete", 0.2),
            voice: Voice::at(0.2),
            message_template: words.subagent_finished.into(),
            fallback_message: String::new(),
            merge_seconds: 0,
        }
    }

    fn plain(words: &Words) -> Self {
        Self {
            sound: Sound::off(),
            voice: Voice::plain(),
            message_template: words.subagent_completed.into(),
            fallback_message: words.subagent_of_some.into(),
            ..Self::full(words)
        }
    }

    fn calm(words: &Words) -> Self {
        Self {
            voice: Voice::at(0.2).off(),
            merge_seconds: 5,
            ..Self::full(words)
        }
    }
}

/// Its name: the queue merges its announcements.
pub(crate) const NAME: &str = "subagent_stop";

impl Tell for Config {
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        let agent = moment.event.agent.as_ref();
        if agent.is_some_and(|agent| agent.internal) {
            return Err(Silence::Compaction);
        }
        // The client tells of a teammate's end a second time, as of one that is idle.
        if agent.is_some_and(|agent| agent.teammate) && moment.hooks.teammate_idle.enabled {
            return Err(Silence::ToldAsIdle);
        }
        let kind = agent.and_then(|agent| agent.kind.as_deref());
        let now_ms = moment.now_ms;
        if let Some(name) = moment.agent_name()
            && moment.session.agent_ended(&name, now_ms)
        {
            return Err(Silence::AlreadyTold);
        }
        moment.session.markers.mark(Marker::SubagentStop, now_ms);
        let window_ms = u64::from(self.merge_seconds) * 1000;
        if moment.session.subagent_stopped(now_ms, window_ms) {
            return Err(Silence::Merged);
        }
        let text = match Moment::spoken(kind) {
            None if !self.fallback_message.is_empty() => moment.fill(&self.fallback_message, &[]),
            kind => words_of(self, moment, kind.as_deref()),
        };
        Ok(self.says(text, Priority::Info))
    }
}

fn words_of(config: &Config, moment: &Moment<'_>, kind: Option<&str>) -> String {
    let template = &config.message_template;
    let summary = if template.contains("{summary}") {
        summary(moment)
    } else {
        String::new()
    };
    let name = kind.unwrap_or(moment.words.some_agent);
    moment.fill(template, &[("agent_type", name), ("summary", &summary)])
}

/// What the subagent said last, from its event or from its own transcript.
fn summary(moment: &Moment<'_>) -> String {
    let told = moment.event.message.as_deref().map(str::to_owned);
    let message = told.filter(|text| !text.is_empty()).or_else(|| {
        let ending = moment.transcript()?;
        ending.words.map(|words| words.text)
    });
    let settings = &moment.hooks.stop.summary;
    summarise::summary(
        &message.unwrap_or_default(),
        settings,
        moment.words.nothing_said,
    )
}
