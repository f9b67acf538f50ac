//! Seed 002's sentences. Ours are trimmed, and split by Unicode's rules on text made fit for speech.

use bellwether_announce::speech;
use serde_json::{Value, json};

use super::super::Verdict;
use super::{compare, unlike_speech};

const ABBREVIATION: &str = "an abbreviation does not end a sentence";
const CLOSED: &str = "by Unicode's rules a sentence may end within a bracket";

pub(super) fn run(case: &Value) -> Verdict {
    let input = case["input"].as_str().unwrap_or_default();
    let expected: Vec<&str> = case["expected"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::trim)
        .filter(|sentence| !sentence.is_empty())
        .collect();
    let got: Vec<String> = speech::sentences(input)
        .into_iter()
        .map(|sentence| sentence.text)
        .collect();
    let excuse = unlike_speech(input)
        .or_else(|| input.contains("e.g.").then_some(ABBREVIATION))
        .or_else(|| input.contains(".) ").then_some(CLOSED));
    compare(&json!(expected), &json!(got), excuse)
}
