//! `permission_request`: when the agent needs your permission.

use bellwether_protocol::event::Asked;

use super::ask_user_question::MessageMode;
use crate::announcement::announcement;
use crate::language::Words;
use crate::tell::{Marker, Moment, Priority, Said, Silence, Tell, fill};
use crate::{Presets, Sound, Voice, summarise};

announcement! {
    /// The announcement when the agent needs your permission.
    on PermissionRequest {
        /// Whether what the agent said before it asked is said, or its question.
        pub message_mode: MessageMode,
        /// What is said otherwise; `{tool_name}` is the tool.
        pub message_template: String,
        /// What is said of a tool without a name; empty: the template, with a word for it.
        pub fallback_message: String,
    }
}

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("bell_call", 0.4),
            voice: Voice::at(0.4),
            message_mode: MessageMode::Extract,
            message_template: words.approve.into(),
            fallback_message: String::new(),
        }
    }

    fn plain(words: &Words) -> Self {
        Self {
            sound: Sound::off(),
            voice: Voice::plain(),
            message_mode: MessageMode::Generic,
            message_template: words.permission.into(),
            fallback_message: words.permission_of_some.into(),
            ..Self::full(words)
        }
    }
}

impl Config {
    /// How a tool is asked for.
    pub(crate) fn template(&self, tool: Option<&str>, words: &Words) -> String {
        match tool {
            None if !self.fallback_message.is_empty() => self.fallback_message.clone(),
            tool => fill(
                &self.message_template,
                &[("tool_name", tool.unwrap_or(words.some_tool))],
            ),
        }
    }
}

impl Tell for Config {
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        let now_ms = moment.now_ms;
        let same_moment = moment.session.request(now_ms);
        let was_asked = moment.session.markers.has(Marker::Permission, now_ms);
        moment.session.markers.mark(Marker::Permission, now_ms);
        let said = |text: String| Ok(self.says(text, Priority::Question));
        // A question is a moment of its own, however soon it comes.
        if let Some(asked @ Asked::Question(_)) = moment.asked() {
            return question(self, moment, &asked).and_then(said);
        }
        if same_moment {
            return Err(Silence::AlreadyTold);
        }
        let template = self.template(moment.tool_name().as_deref(), moment.words);
        if was_asked || self.message_mode == MessageMode::Generic {
            return said(template);
        }
        match before(moment).filter(|summary| !moment.session.markers.spoke(summary, now_ms)) {
            Some(summary) => {
                moment.session.markers.speak(&summary, now_ms);
                said(summary)
            }
            None => said(template),
        }
    }
}

fn question(config: &Config, moment: &mut Moment<'_>, asked: &Asked) -> Result<String, Silence> {
    let Asked::Question(question) = asked else {
        return Err(Silence::NothingToSay);
    };
    if moment.session.ask(question) {
        return Err(Silence::AlreadyTold);
    }
    if config.message_mode == MessageMode::Generic {
        return Ok(config.template(moment.tool_name().as_deref(), moment.words));
    }
    let text = moment.hooks.ask_user_question.question(asked);
    moment.session.markers.speak(&text, moment.now_ms);
    Ok(text)
}

/// What the agent said in this turn when it asked, if that can be found out. The transcript lags
/// behind: what was said before the agent last acted, or with other tools, is about something else.
fn before(moment: &Moment<'_>) -> Option<String> {
    let ending = moment.transcript()?;
    let words = ending
        .words
        .filter(|words| words.this_turn && !words.acted_on)?;
    let (tools, tool) = (&ending.last.tools, moment.tool()?);
    (tools.is_empty() || tools.iter().any(|name| *name == tool.name)).then_some(())?;
    let nothing = moment.words.nothing_said;
    let summary = summarise::summary(&words.text, &moment.hooks.stop.summary, nothing);
    (summary != nothing).then_some(summary)
}
