//! `permission_request`: when the agent needs your permission.

use bellwether_protocol::event::Asked;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::announcement::announcement;
use crate::language::Words;
use crate::tell::{Marker, Moment, Priority, Said, Silence, Tell};
use crate::{Presets, Sound, Voice, summarise};

announcement! {
    /// The announcement when the agent needs your permission.
    on PermissionRequest("tool_name") {
        /// What is said.
        pub message_mode: PermissionMode,
        /// How a call is said; `{command}` is what it would do, in a few words, `{tool_name}` the tool.
        pub message_template: String,
        /// The same where a subagent or teammate asks, which is `{agent}`; empty: `message_template`.
        pub subagent_template: String,
        /// What is said of a tool without a name; empty: the template, with a word for it.
        pub fallback_message: String,
    }
}

/// What is said when the agent needs your permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PermissionMode {
    /// The call, by the template; a question is said itself.
    Call,
    /// What the agent said before it asked, else the call; a question is said itself.
    Extract,
    /// The template, of questions too.
    Generic,
}

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("bell_call", 0.4),
            voice: Voice::at(0.4),
            message_mode: PermissionMode::Extract,
            message_template: words.approve.into(),
            subagent_template: String::new(),
            fallback_message: String::new(),
        }
    }

    fn calm(words: &Words) -> Self {
        Self {
            message_mode: PermissionMode::Call,
            message_template: words.allow.into(),
            subagent_template: words.allow_agent.into(),
            ..Self::full(words)
        }
    }

    fn plain(words: &Words) -> Self {
        Self {
            sound: Sound::off(),
            voice: Voice::plain(),
            message_mode: PermissionMode::Generic,
            message_template: words.permission.into(),
            fallback_message: words.permission_of_some.into(),
            ..Self::full(words)
        }
    }
}

impl Config {
    /// How the call of an event is asked for.
    pub(crate) fn call(&self, moment: &Moment<'_>) -> String {
        match moment.tool_name() {
            None if !self.fallback_message.is_empty() => moment.fill(&self.fallback_message, &[]),
            name => {
                let name = name.as_deref().unwrap_or(moment.words.some_tool);
                moment.fill(self.template(moment), &[("tool_name", name)])
            }
        }
    }

    /// How a tool is asked for of which only the name is known.
    pub(crate) fn call_of(&self, moment: &Moment<'_>, tool: &str) -> String {
        let call = moment.call_of(tool);
        let values = [("tool_name", tool), ("command", call.as_str())];
        moment.fill(self.template(moment), &values)
    }

    fn template(&self, moment: &Moment<'_>) -> &str {
        let of_agent = !self.subagent_template.is_empty() && moment.agent_name().is_some();
        if of_agent {
            &self.subagent_template
        } else {
            &self.message_template
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
        let template = self.call(moment);
        if was_asked || self.message_mode != PermissionMode::Extract {
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
    if config.message_mode == PermissionMode::Generic {
        return Ok(config.call(moment));
    }
    let ask = &moment.hooks.ask_user_question;
    let text = ask.question(moment, asked);
    moment.session.markers.speak(&text, moment.now_ms);
    Ok(ask.told(moment, &text))
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
