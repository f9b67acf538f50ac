//! What the subject of a task says: the phase by its tag, and the feature by the rest.

use crate::flow::{Flow, Phase};

/// The longest name of a feature, in characters.
pub(crate) const LONGEST_FEATURE: usize = 120;
/// What stands between a feature and the part of it that a task is about.
const BEFORE_PART: [&str; 6] = [" - ", " – ", " — ", ": ", " / ", " ("];

/// A subject with a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tagged<'a> {
    pub phase: &'a Phase,
    /// All that the subject says beside its tags.
    pub rest: String,
}

/// Reads a subject. A tag may stand anywhere, as a word of its own, with a number behind it: `[Act-2]`. Of several, that of
/// the earliest phase counts.
pub fn tagged<'a>(subject: &str, flow: &'a Flow) -> Option<Tagged<'a>> {
    let found = |phase: &'a Phase| {
        let (before, after) = around(subject, &phase.tag)?;
        let named = [after, before]
            .into_iter()
            .map(|side| without_tags(side, flow))
            .find(|side| side.chars().any(char::is_alphanumeric))?;
        Some(Tagged { phase, rest: named })
    };
    flow.phases().iter().find_map(found)
}

/// What stands before a tag and behind it.
fn around<'s>(subject: &'s str, tag: &str) -> Option<(&'s str, &'s str)> {
    subject.match_indices('[').find_map(|(start, _)| {
        let inner = subject[start + 1..].strip_prefix(tag)?;
        let after = after_number(inner)?.strip_prefix(']')?;
        let ends = after.chars().next().is_none_or(char::is_whitespace);
        ends.then(|| (&subject[..start], after))
    })
}

/// Behind the number that a tag may have.
fn after_number(inner: &str) -> Option<&str> {
    let Some(number) = inner.strip_prefix('-') else {
        return Some(inner);
    };
    let rest = number.trim_start_matches(|digit: char| digit.is_ascii_digit());
    (rest.len() < number.len()).then_some(rest)
}

/// One line without the flow's tags, and no longer than a name may be.
fn without_tags(text: &str, flow: &Flow) -> String {
    let mut text = text.to_owned();
    for phase in flow.phases() {
        while let Some((before, after)) = around(&text, &phase.tag) {
            text = format!("{before} {after}");
        }
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(LONGEST_FEATURE).collect()
}

/// The feature that a task is about: the one of that name, else the one of which it names a part.
pub(crate) fn known<'f>(
    rest: &str,
    features: impl Iterator<Item = &'f String>,
) -> Option<&'f String> {
    let is_part = |name: &str| {
        let more = rest.strip_prefix(name);
        more.is_some_and(|more| BEFORE_PART.iter().any(|before| more.starts_with(before)))
    };
    let fits = features.filter(|name| name.as_str() == rest || is_part(name));
    fits.max_by_key(|name| name.len())
}

/// The name of a feature of which only a task is known. What teams write, `FEATURE - ROLE: WORK`, is a part of one.
pub(crate) fn new_name(rest: &str) -> &str {
    match rest.split_once(" - ") {
        Some((feature, part)) if part.contains(": ") && !feature.trim().is_empty() => {
            feature.trim()
        }
        _ => rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::Shipped;

    #[test]
    fn a_tag_is_found_anywhere_and_only_as_a_word() {
        let flow = Flow::of(Shipped::Pdca, &[]).unwrap();
        for (subject, expected) in [
            ("[Plan] login", Some(("plan", "login"))),
            ("[Act] login", Some(("act", "login"))),
            ("[Act-12] login", Some(("act", "login"))),
            ("login [Do]", Some(("do", "login"))),
            ("📋 [Plan] login", Some(("plan", "login"))),
            (
                "first [Plan] login  page\tv2",
                Some(("plan", "login page v2")),
            ),
            ("[Check] [Plan] both", Some(("plan", "both"))),
            ("[Plan] [Check] both", Some(("plan", "both"))),
            ("[Plan]login", None),
            ("[plan] login", None),
            ("[Act-] login", None),
            ("[Act-x] login", None),
            ("[QA] login", None),
            ("[Plan]", None),
            ("📋 [Plan] ", None),
            ("[", None),
            ("", None),
        ] {
            let got = tagged(subject, &flow);
            let got = got
                .as_ref()
                .map(|it| (it.phase.name.as_str(), it.rest.as_str()));
            assert_eq!(got, expected, "{subject}");
        }
        let long = format!("[Plan] {}", "é".repeat(500));
        assert_eq!(tagged(&long, &flow).unwrap().rest.chars().count(), 120);
    }

    #[test]
    fn a_part_of_a_feature_is_no_feature() {
        let features = ["login".to_owned(), "login page".to_owned()];
        let of = |rest: &str| known(rest, features.iter()).map(String::as_str);
        assert_eq!(of("login"), Some("login"));
        assert_eq!(of("login - developer: the server"), Some("login"));
        assert_eq!(of("login page: colours"), Some("login page"));
        assert_eq!(of("login page v2"), None);
        assert_eq!(of("logins"), None);
        assert_eq!(new_name("search - developer: the index"), "search");
        assert_eq!(new_name("search - the index"), "search - the index");
    }
}
