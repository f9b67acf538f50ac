//! A later version of seed 000's stop hook: the first sentence, or so many characters.

use bellwether_announce::{Mode, Start, Summary, summarise};
use bellwether_transcript::{Ending, Whose};
use serde_json::{Value, json};

use super::super::Verdict;
use super::{compare, unlike_speech};

const VERSION: &str = "a dot in a version does not end a sentence";
const CODE: &str = "inline code is kept";
const MUTES: &str = "mutes are kept in a file of our own";

pub(super) fn run(case: &Value) -> Verdict {
    if !case["mute"].is_null() {
        return Verdict::Excused(MUTES);
    }
    let lines: Vec<&str> = case["transcript"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let ending = Ending::of_text(lines.join("\n").as_bytes(), Whose::Main);
    let text = ending
        .and_then(|ending| Some(ending.words?.text))
        .unwrap_or_default();
    let summary = &case["config"]["summary"];
    let number = |name: &str| {
        summary[name]
            .as_u64()
            .and_then(|number| u32::try_from(number).ok())
    };
    let settings = Summary {
        mode: if summary["mode"] == "truncate" {
            Mode::Full
        } else {
            Mode::Sentences
        },
        max_sentences: 1,
        max_characters: number("maxChars").unwrap_or(500),
        start: Start::Beginning,
    };
    let got = (!text.is_empty()).then(|| summarise::summary(&text, &settings, ""));
    let said = case["say_args"]
        .as_array()
        .and_then(|words| words.last()?.as_str());
    let excuse = unlike_speech(&text)
        .or_else(|| text.contains("```").then_some(CODE))
        .or_else(|| text.contains("v1.2").then_some(VERSION));
    compare(&json!(said.map(str::trim)), &json!(got), excuse)
}
