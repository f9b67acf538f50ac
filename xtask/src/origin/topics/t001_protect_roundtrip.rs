//! Seed 001's technical text: behind placeholders and back, nothing is lost.

use bellwether_audio::character::Masked;
use serde_json::{Value, json};

use super::super::Verdict;
use super::compare;

pub(super) fn run(case: &Value) -> Verdict {
    let line = case["input"].as_str().unwrap_or_default();
    let masked = Masked::of(line);
    let restored = masked.unmask(&masked.text).ok();
    compare(&case["input"], &json!(restored), None)
}
