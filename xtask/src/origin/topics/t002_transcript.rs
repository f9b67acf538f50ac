//! Seed 002's reading of transcripts.

use bellwether_transcript::{Ending, Whose};
use serde_json::{Value, json};

use super::super::Verdict;
use super::compare;

const BOTH_SHAPES: &str = "both shapes of a line are read";
const NEVER_FAILS: &str = "a line that is no message is passed over, the original failed";

pub(super) fn run(case: &Value) -> Verdict {
    let text = case["transcript"].as_str().unwrap_or_default();
    let ending = Ending::of_text(text.as_bytes(), Whose::Main);
    let (expected, words) = (&case["read_transcript"], &case["read_last_assistant_text"]);
    if !expected["raises"].is_null() || !words["raises"].is_null() {
        return Verdict::Excused(NEVER_FAILS);
    }
    let excuse = text.contains(r#"{"role""#).then_some(BOTH_SHAPES);
    let got = ending.as_ref().map_or(Value::Null, |ending| {
        let last = &ending.last;
        json!({
            "text": last.text,
            "tool_names": last.tools,
            "ends_with_tool_use": last.ends_with_tool_use,
            "last_tool_name": last.tools.last(),
            "asks": last.asks.is_some(),
        })
    });
    let mut expected = expected.clone();
    if let Some(fields) = expected.as_object_mut() {
        let asks = fields.remove("ask_user_question_input").unwrap_or_default();
        fields.insert("asks".into(), json!(!asks.is_null()));
    }
    let words_got = ending.and_then(|ending| Some(ending.words?.text));
    match compare(&expected, &got, excuse) {
        Verdict::Pass => compare(words, &json!(words_got), excuse),
        other => other,
    }
}
