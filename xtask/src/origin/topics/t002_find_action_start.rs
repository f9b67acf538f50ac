//! Seed 002's first deed among sentences.

use bellwether_announce::summarise;
use serde_json::{Value, json};

use super::super::Verdict;
use super::compare;

const MORE: &str = "a deed that the original did not know";
const WHOLE_WORDS: &str = "the original took the beginning of a longer word for a deed";
/// The deeds that the original knew.
const THEIRS: &[&str] = &[
    "created",
    "fixed",
    "added",
    "updated",
    "removed",
    "deleted",
    "modified",
    "implemented",
    "refactored",
    "changed",
    "built",
    "set up",
    "configured",
    "installed",
    "moved",
    "renamed",
    "wrote",
    "generated",
    "completed",
    "finished",
    "done",
    "made",
];
/// Deeds that it did not know, though agents tell them.
const MISSED: &[&str] = &[
    "committed",
    "pushed",
    "merged",
    "tested",
    "ran",
    "deployed",
    "released",
    "verified",
    "replaced",
];

pub(super) fn run(case: &Value) -> Verdict {
    let sentences: Vec<&str> = case["input"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let got = summarise::action_start(&sentences);
    let expected = case["expected"]
        .as_u64()
        .and_then(|it| usize::try_from(it).ok());
    let excuse = expected.and_then(|expected| excuse(&sentences, expected, got));
    compare(&case["expected"], &json!(got), excuse)
}

/// Why ours may begin elsewhere: only the sentence that either of them took counts.
fn excuse(sentences: &[&str], expected: usize, got: usize) -> Option<&'static str> {
    let begins = |at: usize, deeds: &[&str], whole: bool| {
        let sentence = sentences.get(at).map(|it| it.trim_start().to_lowercase());
        sentence.is_some_and(|sentence| {
            deeds.iter().any(|deed| {
                let rest = sentence.strip_prefix(deed);
                rest.is_some_and(|rest| rest.starts_with(char::is_alphanumeric) != whole)
            })
        })
    };
    if begins(got, MISSED, true) {
        return Some(MORE);
    }
    begins(expected, THEIRS, false).then_some(WHOLE_WORDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A deed that ours no longer finds is a failure, whatever else is known.
    #[test]
    fn only_the_listed_reasons_excuse() {
        let of = |sentence: &str, expected: u64| {
            run(&json!({"input": ["Context.", sentence], "expected": expected}))
        };
        assert_eq!(of("I've successfully created it.", 1), Verdict::Pass);
        assert_eq!(of("Donegal is nice.", 1), Verdict::Excused(WHOLE_WORDS));
        assert_eq!(of("Pushed it.", 0), Verdict::Excused(MORE));
        for (sentence, expected) in [
            ("Brewed the tea.", 1),
            ("It was committed.", 1),
            ("Created it.", 0),
            ("I've gladly created it.", 1),
        ] {
            let verdict = of(sentence, expected);
            assert!(
                matches!(verdict, Verdict::Fail { .. }),
                "{sentence}: {verdict:?}"
            );
        }
    }
}
