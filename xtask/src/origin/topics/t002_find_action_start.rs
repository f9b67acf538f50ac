//! Seed 002's first deed among sentences.

use bellwether_announce::summarise;
use serde_json::{Value, json};

use super::super::Verdict;
use super::compare;

const MORE: &str = "committed, pushed, merged, tested and others were missing";
const WHOLE_WORDS: &str = "the original had no word boundary";

pub(super) fn run(case: &Value) -> Verdict {
    let sentences: Vec<&str> = case["input"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let got = summarise::action_start(&sentences);
    let excuse = if case["expected"].as_u64() < u64::try_from(got).ok() {
        MORE
    } else {
        WHOLE_WORDS
    };
    // Only what is listed as a defect excuses: a deed that was not known, or half a word.
    let last = sentences.last().copied().unwrap_or_default().to_lowercase();
    let known = [
        "committed",
        "pushed",
        "merged",
        "tested",
        "ran ",
        "deployed",
        "released",
        "verified",
        "replaced",
    ];
    let is_more = known.iter().any(|deed| last.contains(deed));
    let is_half = summarise::action_start(&["", &format!("{last} ")]) == 0 && got == 0;
    compare(
        &case["expected"],
        &json!(got),
        (is_more || is_half).then_some(excuse),
    )
}
