//! `stop`: when the agent has finished or waits for you.

use bellwether_protocol::event::Asked;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::announcement::announcement;
use crate::language::Words;
use crate::tell::{Marker, Moment, Priority, Said, Silence, Tell};
use crate::{Mode, Presets, Sound, Start, Summary, Voice, summarise};
use bellwether_transcript::Message;

announcement! {
    /// The announcement when the agent has finished or waits for you.
    on Stop() {
        /// How much of what the agent said last.
        pub summary: Summary,
        /// What is said of a turn that ends in a question.
        pub asks: Asks,
        /// Turns shorter than this have the effect only.
        #[schemars(range(min = 0, max = 86_400))]
        pub min_turn_seconds: u32,
    }
}

/// What is said of a turn that ends in a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Asks {
    /// The question, however short the turn was.
    Question,
    /// The summary, as of any other turn.
    Summary,
}

impl Presets for Config {
    fn full(_: &Words) -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("ui_open_1", 0.2),
            voice: Voice::at(0.2),
            summary: Summary::default(),
            asks: Asks::Summary,
            min_turn_seconds: 0,
        }
    }

    fn plain(words: &Words) -> Self {
        Self {
            sound: Sound::off(),
            voice: Voice::plain(),
            summary: Summary {
                mode: Mode::Full,
                max_characters: 500,
                start: Start::Beginning,
                ..Summary::default()
            },
            ..Self::full(words)
        }
    }

    fn calm(words: &Words) -> Self {
        Self {
            asks: Asks::Question,
            min_turn_seconds: 20,
            ..Self::full(words)
        }
    }
}

/// Its name: whether it was spoken decides what is said of an idle agent.
pub(crate) const NAME: &str = "stop";

impl Tell for Config {
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        if has_failed(moment) {
            return Err(Silence::TurnFailed);
        }
        let (last, words) = said_last(moment).ok_or(Silence::NothingToSay)?;
        if let Some(asked) = asked_aloud(self, moment, &last) {
            let text = moment.hooks.ask_user_question.told(moment, &asked);
            return Ok(question(self, moment, text));
        }
        let said = match waits_for(self, moment, &last) {
            Some(text) if !moment.session.markers.any(moment.now_ms) => {
                question(self, moment, text)
            }
            Some(_) => again(self, moment, words)?,
            None => finished(self, moment, &last.text.unwrap_or_default()),
        };
        let least_ms = u64::from(self.min_turn_seconds) * 1000;
        let short = moment
            .session
            .turn_ms(moment.now_ms)
            .is_some_and(|turn| turn < least_ms);
        let voice = if short { said.voice.off() } else { said.voice };
        Ok(Said { voice, ..said })
    }
}

/// Whether the turn ended in an error of the API: clients that have no event of its own for that end the turn as any
/// other. The transcript knows; it is read when the event's own words leave that open.
fn has_failed(moment: &Moment<'_>) -> bool {
    let words = moment.event.message.as_deref().unwrap_or_default();
    let may_have = words.is_empty() || words.starts_with("API Error");
    may_have
        && moment
            .transcript()
            .is_some_and(|ending| ending.failed.is_some())
}

/// The last message, and the last words if it has none. What the event itself says counts: the
/// transcript lags behind.
fn said_last(moment: &Moment<'_>) -> Option<(Message, Option<String>)> {
    let told = moment
        .event
        .message
        .as_deref()
        .filter(|text| !text.is_empty());
    if let Some(text) = told {
        let message = Message {
            text: Some(text.to_owned()),
            ..Message::default()
        };
        return Some((message, Some(text.to_owned())));
    }
    let ending = moment.transcript()?;
    Some((ending.last, ending.words.map(|words| words.text)))
}

/// The question that a message ends with, if it is to be said and was not told already.
fn asked_aloud(config: &Config, moment: &Moment<'_>, last: &Message) -> Option<String> {
    let text = last.text.as_deref()?;
    let wanted = config.asks == Asks::Question && last.asks.is_none() && !last.ends_with_tool_use;
    if !wanted || !summarise::ends_with_question(text) {
        return None;
    }
    let (markers, now_ms) = (&moment.session.markers, moment.now_ms);
    let was_asked = [Marker::AskUser, Marker::Elicitation]
        .into_iter()
        .any(|marker| markers.has(marker, now_ms));
    let question = summarise::short_question(&summarise::last_question(text)?);
    (!was_asked && !markers.spoke(&question, now_ms)).then_some(question)
}

/// How it is told that the agent waits, if it does.
fn waits_for(config: &Config, moment: &Moment<'_>, last: &Message) -> Option<String> {
    match &last.asks {
        Some(Asked::Nothing) | None => {}
        Some(asked) => {
            let ask = &moment.hooks.ask_user_question;
            return Some(ask.told(moment, &ask.question(moment, asked)));
        }
    }
    let text = last.text.as_deref().unwrap_or_default();
    if summarise::ends_with_question(text) {
        return Some(summarise::summary(
            text,
            &config.summary,
            moment.words.nothing_said,
        ));
    }
    let tool = last.tools.last().filter(|_| last.ends_with_tool_use)?;
    Some(moment.hooks.permission_request.call_of(moment, tool))
}

/// The agent waits, and nothing has told that yet: it sounds as a question does.
fn question(config: &Config, moment: &Moment<'_>, text: String) -> Said {
    let ask = &moment.hooks.ask_user_question;
    if ask.enabled {
        ask.says(text, Priority::Question)
    } else {
        config.says(text, Priority::Question)
    }
}

/// The agent waits, and that was told a moment ago: a summary, unless it was just that.
fn again(config: &Config, moment: &Moment<'_>, words: Option<String>) -> Result<Said, Silence> {
    let words = words.ok_or(Silence::AlreadyTold)?;
    let said = finished(config, moment, &words);
    if moment.session.markers.spoke(&said.text, moment.now_ms) {
        return Err(Silence::AlreadyTold);
    }
    Ok(said)
}

fn finished(config: &Config, moment: &Moment<'_>, text: &str) -> Said {
    let text = summarise::summary(text, &config.summary, moment.words.nothing_said);
    config.says(text, Priority::Done)
}
