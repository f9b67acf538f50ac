//! The list of what can be changed.

use bellwether_announce::Hooks;
use serde_json::{Map, Value, json};

use super::Kind;

/// What stands under a name of its own.
const SINGLE: &[(&str, Kind)] = &[
    ("preset", Kind::Word(&["calm", "full", "plain"])),
    ("language", Kind::Word(&["en", "ko"])),
    ("audio.enabled", Kind::Flag),
    ("audio.volume", Kind::Volume),
    ("voice.chain", Kind::Engines),
    ("voice.per_session", Kind::Flag),
    ("quiet.hours", Kind::Hours),
    ("quiet.min_turn_seconds", Kind::Seconds),
    ("quiet.subagents", Kind::Flag),
    ("quiet.teammates", Kind::Flag),
    ("page.answer", Kind::Flag),
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
    let hooks = serde_json::to_value(Hooks::default()).unwrap_or_default();
    let hooks = hooks.as_object().cloned().unwrap_or_default();
    let hooks = hooks.iter().flat_map(|(name, section)| {
        let has = move |path: &[&str]| {
            let value = path.iter().try_fold(section, |value, part| value.get(part));
            value.is_some()
        };
        let has = OF_ANNOUNCEMENT.iter().filter(move |(path, _)| has(path));
        has.map(move |(path, kind)| (format!("hooks.{name}.{}", path.join(".")), *kind))
    });
    single.chain(hooks).collect()
}

/// What may stand in a setting, if it can be changed.
pub fn find(key: &str) -> Option<Kind> {
    let mut all = all().into_iter();
    all.find_map(|(known, kind)| (known == key).then_some(kind))
}

/// The list for the documents: an object with any of these.
pub fn schema() -> Value {
    let properties: Map<String, Value> = all()
        .into_iter()
        .map(|(key, kind)| (key, kind.schema()))
        .collect();
    json!({
        "type": "object", "properties": properties, "additionalProperties": false, "minProperties": 1,
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
