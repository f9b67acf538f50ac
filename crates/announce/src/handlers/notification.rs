//! `notification`: when the client notifies you.

use bellwether_protocol::event::Event;

use crate::announcement::announcement;
use crate::language::Words;
use crate::tell::{Marker, Moment, Priority, Said, Silence, Tell};
use crate::{Presets, Sound, Voice, speech};

announcement! {
    /// The announcement when the client notifies you.
    on Notification() {
        /// The types that are told; those without a type are too.
        pub types: Vec<String>,
        /// What is said when the agent has waited for you; empty: what the client says.
        pub idle_message: String,
        /// What is said when you have been logged in; empty: what the client says.
        pub auth_message: String,
        /// What is said of anything else, when the client's own words are shorter than five characters or missing; empty: nothing.
        pub default_message: String,
    }
}

const IDLE: &str = "idle_prompt";
const AUTH: &str = "auth_success";
const PERMISSION: &str = "permission_prompt";
/// The types that are told unless the settings say otherwise.
const TYPES: [&str; 6] = [
    IDLE,
    AUTH,
    PERMISSION,
    "elicitation_dialog",
    "agent_needs_input",
    "elicitation_url_dialog",
];
/// Words of the client that are shorter say nothing, and longer ones are cut.
const SHORTEST: usize = 5;
const LONGEST: usize = 200;

impl Presets for Config {
    fn full(words: &Words) -> Self {
        Self {
            enabled: true,
            sound: Sound::effect("bell_ring_1", 0.2),
            voice: Voice::at(0.2),
            types: TYPES.map(str::to_owned).into(),
            idle_message: words.idle.into(),
            auth_message: words.logged_in.into(),
            default_message: words.notification.into(),
        }
    }

    fn plain(words: &Words) -> Self {
        Self {
            sound: Sound::off(),
            voice: Voice::plain(),
            idle_message: String::new(),
            auth_message: String::new(),
            default_message: String::new(),
            ..Self::full(words)
        }
    }
}

impl Tell for Config {
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence> {
        let kind = kind(moment.event);
        if !self
            .types
            .iter()
            .any(|wanted| Some(wanted.as_str()) == kind)
            && kind.is_some()
        {
            return Err(Silence::NotificationType);
        }
        if was_told(kind, moment) {
            return Err(Silence::AlreadyTold);
        }
        let now_ms = moment.now_ms;
        if kind == Some(IDLE) {
            moment
                .session
                .markers
                .mark(Marker::NotificationIdle, now_ms);
        }
        let text = self.text(kind, moment).ok_or(Silence::NothingToSay)?;
        let priority = match kind {
            Some(IDLE | AUTH) | None => Priority::Info,
            Some(_) => Priority::Question,
        };
        Ok(self.says(text, priority))
    }
}

impl Config {
    fn text(&self, kind: Option<&str>, moment: &Moment<'_>) -> Option<String> {
        let mapped = match kind {
            Some(IDLE) => self.idle_message.as_str(),
            Some(AUTH) => self.auth_message.as_str(),
            _ => "",
        };
        if !mapped.is_empty() {
            return Some(moment.fill(mapped, &[]));
        }
        let words = moment.event.message.as_deref().unwrap_or_default();
        let words = speech::line(words, LONGEST);
        if words.chars().count() >= SHORTEST {
            return Some(words);
        }
        (!self.default_message.is_empty()).then(|| moment.fill(&self.default_message, &[]))
    }
}

/// The type of a notification. Older clients send none: their words tell it.
fn kind<'a>(event: &'a Event<'_>) -> Option<&'a str> {
    let words = event.message.as_deref().unwrap_or_default();
    match event.notification_type.as_deref() {
        None if words.contains("waiting for your input") => Some(IDLE),
        None if words.contains("needs your permission") => Some(PERMISSION),
        kind => kind,
    }
}

/// Whether the moment was told when it came: these notifications come later than its own event.
fn was_told(kind: Option<&str>, moment: &Moment<'_>) -> bool {
    let (session, now_ms) = (&*moment.session, moment.now_ms);
    let marked = |markers: &[Marker]| {
        let has = |marker: &Marker| session.markers.has(*marker, now_ms);
        markers.iter().any(has)
    };
    match kind {
        Some(PERMISSION) => marked(&[Marker::Permission, Marker::AskUser]),
        Some("agent_needs_input") => {
            marked(&[Marker::Permission, Marker::AskUser, Marker::Elicitation])
        }
        Some("elicitation_dialog" | "elicitation_url_dialog") => marked(&[Marker::Elicitation]),
        Some(IDLE) => session.has_just_stopped(now_ms),
        _ => false,
    }
}
