//! The list of what can be changed.

use bellwether_announce::{Hooks, Language};
use serde_json::{Map, Value, json};

use super::Kind;

/// What stands under a name of its own.
const SINGLE: &[(&str, Kind)] = &[
    ("preset", Kind::Word(&["calm", "full", "plain"])),
    ("language", Kind::Word(Language::CODES)),
    ("audio.enabled", Kind::Flag),
    ("audio.volume", Kind::Volume),
    ("voice.chain", Kind::Engines),
    ("voice.per_session", Kind::Flag),
    ("quiet.hours", Kind::Hours),
    ("quiet.min_turn_seconds", Kind::Seconds),
    ("quiet.subagents", Kind::Flag),
    ("quiet.teammates", Kind::Flag),
    ("page.answer", Kind::Flag),
    ("overlay.auto", Kind::Flag),
    ("overlay.place", Kind::Word(PLACES)),
    ("overlay.screen", Kind::Name),
    (
        "overlay.size",
        Kind::Whole {
            least: 64,
            most: 128,
        },
    ),
    (
        "overlay.most",
        Kind::Whole {
            least: 1,
            most: 200,
        },
    ),
    ("overlay.motion", Kind::Word(&["full", "reduced"])),
    ("overlay.bubble_seconds", Kind::Whole { least: 1, most: 60 }),
    ("overlay.tray", Kind::Flag),
];

/// Where the overlay may stand.
const PLACES: &[&str] = &[
    "bottom_right",
    "bottom_left",
    "bottom",
    "top_right",
    "top_left",
    "top",
    "left",
    "right",
];

/// What every announcement has, below its name.
const OF_ANNOUNCEMENT: &[(&[&str], Kind)] = &[
    (&["enabled"], Kind::Flag),
    (&["sound", "enabled"], Kind::Flag),
    (&["sound", "volume"], Kind::Volume),
    (&["voice", "enabled"], Kind::Flag),
    (&["voice", "name"], Kind::Name),
    (&["voice", "volume"], Kind::Volume),
    (&["voice", "rate"], Kind::Rate),
];

/// Every setting that can be changed, by its key with dots.
pub fn all() -> Vec<(String, Kind)> {
    let single = SINGLE.iter().map(|(key, kind)| ((*key).to_owned(), *kind));
    let of_announcements = OF_ANNOUNCEMENT.iter().flat_map(|(path, kind)| {
        let key = move |name| format!("hooks.{name}.{}", path.join("."));
        having(path).into_iter().map(move |name| (key(name), *kind))
    });
    single.chain(of_announcements).collect()
}

/// The names of the announcements that have something.
fn having(path: &[&str]) -> Vec<String> {
    let hooks = serde_json::to_value(Hooks::default()).unwrap_or_default();
    let hooks = hooks.as_object().cloned().unwrap_or_default();
    let has = |section: &Value| {
        let value = path.iter().try_fold(section, |value, part| value.get(part));
        value.is_some()
    };
    let named = hooks.into_iter().filter(|(_, section)| has(section));
    named.map(|(name, _)| name).collect()
}

/// What may stand in a setting, if it can be changed.
pub fn find(key: &str) -> Option<Kind> {
    let mut all = all().into_iter();
    all.find_map(|(known, kind)| (known == key).then_some(kind))
}

/// The list for the documents: an object with any of these.
pub fn schema() -> Value {
    let single = SINGLE.iter();
    let single = single.map(|(key, kind)| ((*key).to_owned(), kind.schema()));
    let of_announcements = OF_ANNOUNCEMENT.iter().map(|(path, kind)| {
        let (names, path) = (having(path).join("|"), path.join("\\."));
        (format!("^hooks\\.({names})\\.{path}$"), kind.schema())
    });
    json!({
        "type": "object",
        "properties": single.collect::<Map<_, _>>(),
        "patternProperties": of_announcements.collect::<Map<_, _>>(),
        "additionalProperties": false,
        "minProperties": 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_there_once() {
        let mut keys: Vec<String> = all().into_iter().map(|(key, _)| key).collect();
        assert!(
            keys.contains(&"hooks.stop.voice.rate".to_owned()),
            "{keys:?}"
        );
        keys.sort();
        let count = keys.len();
        keys.dedup();
        assert_eq!(keys.len(), count);
        assert_eq!(find("guard.enabled"), None);
        assert_eq!(find("audio.volume"), Some(Kind::Volume));
    }
}
