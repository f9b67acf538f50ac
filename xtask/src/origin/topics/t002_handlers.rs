//! Seed 002's handlers, with its shipped configuration: what is spoken of sequences of events.

use std::collections::HashMap;
use std::path::Path;
use std::sync::OnceLock;

use bellwether_announce::{
    Announcement, Announcer, Heard, Hooks, Language, Mutes, Outcome, Preset, Presets as _,
    Settings, Transcripts,
};
use bellwether_protocol::client::Client;
use bellwether_transcript::{Ending, Whose};
use serde_json::{Value, json};

use super::super::Verdict;

const OTHER_TYPES: &str = "notifications of other types are silent";
const MARKER: &str = "the original never checked the marker of subagents";
const JUST_SAID: &str = "the original repeated what permission had just said";
const LATER: &str = "later requests within a minute are told by the template";
/// Steps of a case follow each other more slowly than what is one moment.
const STEP_MS: u64 = 3_000;

/// The transcripts that the first line of the file brings along.
static FIXTURES: OnceLock<HashMap<String, String>> = OnceLock::new();

pub(super) fn run(case: &Value) -> Verdict {
    if let Some(fixtures) = case["fixtures"].as_object() {
        let text = |lines: &Value| {
            let lines = lines.as_array().into_iter().flatten();
            lines.map(Value::to_string).collect::<Vec<_>>().join("\n")
        };
        let read = fixtures
            .iter()
            .map(|(name, lines)| (name.clone(), text(lines)));
        let _ = FIXTURES.set(read.collect());
        return Verdict::Pass;
    }
    let mut stage = Stage::full(case["config"].as_str().unwrap_or_default());
    let mut excuse = None;
    for step in case["steps"].as_array().into_iter().flatten() {
        let event = &step["event"];
        let fixture = event["transcript_fixture"].as_str();
        let said = stage.hear(event, fixture);
        let got = said.as_ref().map_or(Value::Null, spoken);
        if got != step["spoken"] {
            match excuse_for(case, step) {
                Some(reason) => excuse = Some(reason),
                None => {
                    return Verdict::Fail {
                        expected: step["spoken"].to_string(),
                        got: got.to_string(),
                    };
                }
            }
        }
    }
    excuse.map_or(Verdict::Pass, Verdict::Excused)
}

fn excuse_for(case: &Value, step: &Value) -> Option<&'static str> {
    let steps: Vec<&str> = case["steps"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|step| step["event"]["hook_event_name"].as_str())
        .collect();
    let event = step["event"]["hook_event_name"].as_str()?;
    let first = &case["steps"][0]["spoken"]["message"];
    match event {
        "Notification" if step["event"]["notification_type"] == "other" => Some(OTHER_TYPES),
        "Stop" if steps.contains(&"SubagentStop") => Some(MARKER),
        "Stop" if steps.contains(&"PermissionRequest") && step["spoken"]["message"] == *first => {
            Some(JUST_SAID)
        }
        "PermissionRequest" if steps.iter().filter(|name| **name == event).count() > 1 => {
            Some(LATER)
        }
        _ => None,
    }
}

fn spoken(said: &Announcement) -> Value {
    let (sound, voice) = (
        said.sound.clone().unwrap_or_default(),
        said.voice.clone().unwrap_or_default(),
    );
    json!({
        "message": said.text,
        "sound": sound.file,
        "sound_volume": sound.volume,
        "voice": voice.name,
        "voice_volume": voice.volume,
        "rate": voice.rate,
    })
}

/// An announcer with its settings and its clock.
pub(super) struct Stage {
    announcer: Announcer,
    settings: Settings,
    now_ms: u64,
}

impl Stage {
    pub(super) fn plain() -> Self {
        Self::of(Hooks::of(Preset::Plain, Language::En))
    }

    /// The shipped configuration, with the changes that a case names: `… + {"stop.enabled": false}`.
    fn full(config: &str) -> Self {
        let mut hooks = json!(Hooks::of(Preset::Full, Language::En));
        let changes = config
            .split_once(" + ")
            .and_then(|(_, changes)| serde_json::from_str::<Value>(changes).ok());
        for (path, value) in changes
            .as_ref()
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            *path
                .split('.')
                .fold(&mut hooks, |value, key| &mut value[key]) = value.clone();
        }
        Self::of(serde_json::from_value(hooks).unwrap_or_default())
    }

    fn of(hooks: Hooks) -> Self {
        Self {
            announcer: Announcer::default(),
            settings: Settings {
                hooks,
                ..Settings::default()
            },
            now_ms: 1_000_000,
        }
    }

    /// What is said of an event, with the transcript of that name.
    pub(super) fn hear(&mut self, payload: &Value, fixture: Option<&str>) -> Option<Announcement> {
        let mut payload = payload.clone();
        if fixture.is_some() {
            payload["transcript_path"] = json!("/fixture.jsonl");
        }
        let text = payload.to_string();
        let event = Client::default().parse(&text).ok()?;
        self.now_ms += STEP_MS;
        let heard = Heard {
            event: &event,
            at_ms: self.now_ms,
            age_ms: 0,
            attended: true,
            project: None,
            refused_by: None,
            workflow: None,
        };
        let told =
            self.announcer
                .hear(&heard, &self.settings, &Mutes::default(), &Fixture(fixture));
        match told.outcome {
            Outcome::Said(said) => Some(*said),
            Outcome::Silent(_) => None,
        }
    }
}

struct Fixture<'a>(Option<&'a str>);

impl Transcripts for Fixture<'_> {
    fn ending(&self, _: &Path, whose: Whose) -> Option<Ending> {
        let text = FIXTURES.get()?.get(self.0?)?;
        Ending::of_text(text.as_bytes(), whose)
    }
}
