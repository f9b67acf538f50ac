//! Seed 004's looks, to the last digit.

use bellwether_flock::Appearance;
use bellwether_flock::appearance::{SlotCounts, seed};
use serde_json::{Value, json};

use super::super::Verdict;
use super::compare;

pub(super) fn run(case: &Value) -> Verdict {
    let id = case["agent_id"].as_str().unwrap_or_default();
    let range = &case["skin_lightness_range"];
    let (Ok(counts), Some(from), Some(to)) = (
        serde_json::from_value::<SlotCounts>(case["slot_counts"].clone()),
        range[0].as_f64(),
        range[1].as_f64(),
    ) else {
        return compare(case, &json!("a case that makes sense"), None);
    };
    let got = json!({
        "hash_seed": seed(id),
        "expected": Appearance::with(id, counts, (from, to)),
    });
    let expected = json!({ "hash_seed": case["hash_seed"], "expected": case["expected"] });
    compare(&expected, &read_back(&got), None)
}

/// Numbers as they come out of a file: reading may turn the last bit, and does so for both alike.
fn read_back(value: &Value) -> Value {
    serde_json::from_str(&value.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_digit_counts() {
        let counts = json!({"body": 2, "hair": 2, "outfit": 2, "accessory": 2, "face": 2});
        let range = json!([75.0, 89.0]);
        let looks = Appearance::with(
            "own",
            serde_json::from_value(counts.clone()).unwrap(),
            (75.0, 89.0),
        );
        let mut case = json!({
            "agent_id": "own", "slot_counts": counts, "skin_lightness_range": range,
            "hash_seed": seed("own"), "expected": looks,
        });
        assert_eq!(run(&case), Verdict::Pass);
        case["expected"]["skin_hue"] = json!(looks.skin_hue + 1e-9);
        assert!(matches!(run(&case), Verdict::Fail { .. }));
    }
}
