//! Seed 002's last question.

use bellwether_announce::summarise;
use serde_json::{Value, json};

use super::super::Verdict;
use super::{compare, unlike_speech};

pub(super) fn run(case: &Value) -> Verdict {
    let input = case["input"].as_str().unwrap_or_default();
    let got = json!(summarise::last_question(input));
    compare(&case["expected"], &got, unlike_speech(input))
}
