//! Seed 001's profiles: which are taken. A case names a change of a profile that is right.

use bellwether_audio::character::Profile;
use serde_json::{Value, json};

use super::super::Verdict;
use super::compare;

const UNKNOWN: &str = "a case that this runner does not know";

pub(super) fn run(case: &Value) -> Verdict {
    let name = case["case"].as_str().unwrap_or_default();
    let Some(profile) = changed(name) else {
        return Verdict::Excused(UNKNOWN);
    };
    let is_valid = Profile::parse("case", &profile.to_string()).is_ok();
    compare(&case["valid"], &json!(is_valid), None)
}

fn changed(case: &str) -> Option<Value> {
    let mut profile = json!({
        "name": "case",
        "display_name": "A Case",
        "description": "Somebody.",
        "voice_id": "id",
        "voice_settings": {
            "stability": 0.5, "similarity_boost": 0.5, "style": 0.5, "use_speaker_boost": true
        },
        "system_prompt": "You are somebody.",
        "characteristic_phrases": ["one", "two", "three"],
        "transformation_rules": {
            "add_greeting": true, "use_characteristic_phrases": true,
            "preserve_technical_content": true
        }
    });
    let (what, amount) = case.rsplit_once('_').unwrap_or((case, ""));
    let many = amount.parse::<usize>().unwrap_or_default();
    let number = || amount.parse::<f64>().ok();
    match what {
        "base" => {}
        "name" if amount == "hyphen" => profile["name"] = json!("two-words"),
        "display" if amount == "empty" => profile["display_name"] = json!(""),
        "prompt" => profile["system_prompt"] = json!("x".repeat(many)),
        "phrases" => profile["characteristic_phrases"] = vec!["phrase"; many].into(),
        "stability" => profile["voice_settings"]["stability"] = json!(number()?),
        "sim" => profile["voice_settings"]["similarity_boost"] = json!(number()?),
        "style" => profile["voice_settings"]["style"] = json!(number()?),
        "greeting" => profile["transformation_rules"]["add_greeting"] = json!(amount == "true"),
        _ => return None,
    }
    Some(profile)
}
