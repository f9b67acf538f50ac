//! What a tool that asks the person asks.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::fields::Fields;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// Its first question.
    Question(String),
    /// It asks something, and in no words that could be found.
    Something,
    /// Its input is empty: it does not ask anything yet.
    Nothing,
}
/// What the JSON of a call's input asks.
pub fn asked(input: Option<&str>) -> Asked {
    let Some(fields) = input.and_then(|input| Fields::parse(input).ok()) else {
        return Asked::Nothing;
    };
    let questions = fields.get::<Vec<Fields<'_>>>("questions");
    let first = questions
        .iter()
        .flatten()
        .find_map(|question| question.get::<Cow<'_, str>>("question"))
        .filter(|question| !question.trim().is_empty());
    match first {
        Some(question) => Asked::Question(question.into_owned()),
        None if is_empty(input) => Asked::Nothing,
        None => Asked::Something,
    }
}

/// A question with what can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asking<'a> {
    pub question: Cow<'a, str>,
    /// What can be chosen, each with what it means.
    pub choices: Vec<(Cow<'a, str>, Option<Cow<'a, str>>)>,
    /// Whether several can be chosen.
    pub several: bool,
    /// What was answered.
    pub answer: Option<Cow<'a, str>>,
}

/// Every question in the JSON of a call's input that has words.
pub(super) fn questions(input: Option<&str>) -> Vec<Asking<'_>> {
    let fields = input.and_then(|input| Fields::parse(input).ok());
    let all: Vec<Fields<'_>> = fields
        .and_then(|fields| fields.get("questions"))
        .unwrap_or_default();
    all.iter().filter_map(asking).collect()
}

fn asking<'a>(fields: &Fields<'a>) -> Option<Asking<'a>> {
    let words: Cow<'a, str> = fields.get("question")?;
    let options: Vec<&'a RawValue> = fields.get("options").unwrap_or_default();
    let options = options
        .into_iter()
        .filter_map(|option| Fields::parse(option.get()).ok());
    let choices =
        options.filter_map(|option| Some((option.get("label")?, option.get("description"))));
    (!words.trim().is_empty()).then(|| Asking {
        question: words,
        choices: choices.collect(),
        several: fields.get("multiSelect") == Some(true),
        answer: None,
    })
}

fn is_empty(input: Option<&str>) -> bool {
    let inside = |input: &str| {
        input
            .trim()
            .trim_start_matches('{')
            .trim_end_matches('}')
            .trim()
            .is_empty()
    };
    input.is_none_or(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_question_counts() {
        let question = |text: &str| Asked::Question(text.to_owned());
        for (input, expected) in [
            (
                Some(r#"{"questions":[{"question":"A?"},{"question":"B?"}]}"#),
                question("A?"),
            ),
            (
                Some(r#"{"questions":[{"header":"x"},{"question":"B?"}]}"#),
                question("B?"),
            ),
            (
                Some(r#"{"questions":[{"question":" "}]}"#),
                Asked::Something,
            ),
            (Some(r#"{"questions":[]}"#), Asked::Something),
            (Some(r#"{"questions":7}"#), Asked::Something),
            (Some("{ }"), Asked::Nothing),
            (Some("7"), Asked::Nothing),
            (None, Asked::Nothing),
        ] {
            assert_eq!(asked(input), expected, "{input:?}");
        }
    }
}
