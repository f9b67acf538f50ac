//! Seed 001's stop hook, as far as it is about what is said: the words of the transcript's last
//! message. Its lines and exit codes are those of `hook --wait`, which has end-to-end tests of its own.

use bellwether_transcript::{Ending, Whose};
use serde_json::{Value, json};

use super::super::Verdict;
use super::compare;

const WAITING: &str = "exit codes and lines are held by the tests of `hook --wait`";
const BOTH_SHAPES: &str = "both shapes of a line are read";
/// Shorter messages are not spoken.
const SHORTEST: usize = 5;

pub(super) fn run(case: &Value) -> Verdict {
    let Some(lines) = case["transcript"].as_array() else {
        return Verdict::Excused(WAITING);
    };
    let text: Vec<String> = lines
        .iter()
        .map(|line| {
            line.as_str()
                .map_or_else(|| line.to_string(), str::to_owned)
        })
        .collect();
    let text = text.join("\n");
    let ending = Ending::of_text(text.as_bytes(), Whose::Main);
    let words = ending.and_then(|ending| Some(ending.words?.text));
    let got = words.filter(|words| words.trim().chars().count() >= SHORTEST);
    let mut calls = case["calls"].as_array().into_iter().flatten();
    let said = calls.find_map(|call| call[1].as_str());
    let said = said.map(|said| said.strip_prefix("T:").unwrap_or(said));
    // A long text stands in its case by its length.
    let counted = said.and_then(|said| {
        said.strip_prefix('<')?
            .strip_suffix(" chars>")?
            .parse::<usize>()
            .ok()
    });
    if let Some(count) = counted {
        let length = got.as_ref().map_or(0, |words| words.chars().count());
        return compare(&json!(count), &json!(length), None);
    }
    let excuse = text
        .contains(r#""type":"assistant""#)
        .then_some(BOTH_SHAPES);
    compare(&json!(said), &json!(got), excuse)
}
