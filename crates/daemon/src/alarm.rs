//! Tells the person at once that something was tried which only a person may do: by an announcement, as a trouble that
//! the next sessions tell, as an event, and in the log.

use std::sync::Arc;

use bellwether_announce::{Announcement, Priority, Settings, quiet};
use bellwether_config::announce_settings;
use bellwether_flock::{ACTED_AS_PERSON, OwnWay, SETTINGS_CHANGED, Sender, frame};
use bellwether_spine::trouble::Troubles;
use bellwether_spine::{Home, clock, text};
use serde_json::json;
use tracing::warn;

use crate::http::Collector;
use crate::sound::SoundQueue;

/// What is said is no longer than this.
const LONGEST: usize = 400;

/// What the person is told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// Settings were changed by somebody who is not the person.
    SettingsChanged,
    /// An agent did what only the person may.
    ActedAsPerson,
}

impl Cause {
    /// Its name as an event.
    fn event(self) -> &'static str {
        match self {
            Self::SettingsChanged => SETTINGS_CHANGED,
            Self::ActedAsPerson => ACTED_AS_PERSON,
        }
    }

    fn code(self) -> &'static str {
        match self {
            Self::SettingsChanged => "settings_changed",
            Self::ActedAsPerson => "acted_as_person",
        }
    }

    fn words(self, settings: &Settings) -> &'static str {
        let words = settings.language.words();
        match self {
            Self::SettingsChanged => words.settings_changed,
            Self::ActedAsPerson => words.acted_as_person,
        }
    }

    /// What stands among the troubles, with what to do.
    fn trouble(self, what: &str) -> String {
        match self {
            Self::SettingsChanged => format!(
                "the guard's settings were changed, not by you: {what}. What you confirmed before stays in effect; if it was you, run `bellwether config confirm`"
            ),
            Self::ActedAsPerson => {
                format!("an agent tried something that only you may do: {what}. It was refused")
            }
        }
    }
}

/// The ways by which the person is told.
pub(crate) struct Alarm {
    pub home: Home,
    pub sound: Arc<SoundQueue>,
    pub collector: Arc<Collector>,
}

impl Alarm {
    /// Tells the person.
    pub(crate) async fn raise(&self, cause: Cause, what: &str) {
        let what = text::line(what, LONGEST);
        warn!("{}: {what}", cause.event());
        let (home, noted) = (self.home.clone(), what.clone());
        let told = tokio::task::spawn_blocking(move || {
            let settings = announce_settings(&home, None);
            let noted = Troubles(&home).note(cause.code(), &cause.trouble(&noted));
            (settings, noted)
        });
        let Ok((settings, noted)) = told.await else {
            return;
        };
        if let Err(error) = noted {
            warn!("{error}");
        }
        if let Some(announcement) = announcement(cause, &what, &settings) {
            self.sound.push(announcement, settings.language.words());
            self.sound.release();
        }
        self.record(cause, &what).await;
    }

    async fn record(&self, cause: Cause, what: &str) {
        let event = json!({
            "hook_event_name": cause.event(),
            "message": what,
            "_meta": {"source": "synthetic"},
        });
        let framed = frame(&event.to_string(), Sender::Own(OwnWay::Watch));
        if let Err(error) = self.collector.keep(&framed.record).await {
            warn!("what the person was told is not among the events: {error}");
        }
    }
}

/// What is heard. A mute does not silence it, because anybody can mute; the person's hours of silence do.
fn announcement(cause: Cause, what: &str, settings: &Settings) -> Option<Announcement> {
    let at_ms = clock::wall_ms();
    let silent = quiet::minute_of_day(at_ms).is_some_and(|minute| settings.quiet.at(minute));
    let like = &settings.hooks.notification;
    (!silent).then(|| Announcement {
        event: cause.event().to_owned(),
        handler: "guard".to_owned(),
        text: cause.words(settings).replace("{what}", what),
        sound: Some(like.sound.clone()).filter(|sound| sound.enabled),
        voice: Some(like.voice.clone()).filter(|voice| voice.enabled),
        priority: Priority::Failure,
        at_ms,
        time_to_live_ms: Priority::Failure.time_to_live_ms(),
        session: cause.code().to_owned(),
        agent: None,
        project: None,
        count: 1,
        seat: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_said_unless_it_is_an_hour_of_silence() {
        let settings = Settings::default();
        let cause = Cause::SettingsChanged;
        let said = announcement(cause, "guard.enabled is now false", &settings).unwrap();
        assert_eq!(
            said.text,
            "The guard's settings were changed, not by you: guard.enabled is now false"
        );
        let always = serde_json::from_value(json!({"hours": ["00:00-12:00", "12:00-00:00"]}));
        let settings = Settings {
            quiet: always.unwrap(),
            ..settings
        };
        assert_eq!(announcement(cause, "x", &settings), None);
    }
}
