//! Seed 002's summaries, with the defaults of its option tables.

use bellwether_announce::{Mode, Start, Summary, summarise};
use serde_json::{Value, json};

use super::super::Verdict;
use super::{compare, unlike_speech};

const UNKNOWN_MODE: &str = "a mode of another name is a wrong setting and is complained of";

pub(super) fn run(case: &Value) -> Verdict {
    let input = case["input"].as_str().unwrap_or_default();
    let got = summarise::summary(input, &settings(&case["config"]), "Task completed");
    let known = |mode: &str| ["sentences", "characters"].contains(&mode);
    let unknown = case["config"]["mode"]
        .as_str()
        .is_some_and(|mode| !known(mode));
    let excuse = unlike_speech(input).or_else(|| unknown.then_some(UNKNOWN_MODE));
    compare(&case["expected"], &json!(got), excuse)
}

/// What the original took words for that ours refuses as wrong settings.
pub(super) fn settings(config: &Value) -> Summary {
    let number = |name: &str, default: u64| {
        let number = config[name].as_u64().unwrap_or(default);
        u32::try_from(number).unwrap_or(u32::MAX)
    };
    Summary {
        mode: match config["mode"].as_str() {
            Some("characters") => Mode::Characters,
            _ => Mode::Sentences,
        },
        max_sentences: number("max_sentences", 2),
        max_characters: number("max_characters", 200),
        start: match config["start"].as_str() {
            Some("action") | None => Start::Action,
            Some(_) => Start::Beginning,
        },
    }
}
