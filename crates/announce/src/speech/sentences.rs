//! Where sentences end. Unicode's rules find the places; around them stands what they cannot know:
//! abbreviations, and that a sentence may begin with a number or a small letter.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use super::abbreviation;

/// Stops that end a sentence wherever they stand, since no space follows them.
const WIDE: [char; 4] = ['。', '！', '？', '｡'];

/// Whether a character ends a sentence.
pub(super) fn is_stop(char: char) -> bool {
    matches!(char, '.' | '!' | '?' | '…') || WIDE.contains(&char)
}

/// Where the sentences of a text stand; a stop inside of `code` ends none.
pub(super) fn split(text: &str, code: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut ends: Vec<usize> = text
        .split_sentence_bound_indices()
        .map(|(at, sentence)| at + sentence.len())
        .chain(after_stops(text))
        .filter(|end| ends_here(text, *end, code))
        .collect();
    ends.push(text.len());
    ends.sort_unstable();
    ends.dedup();
    let starts = [0].into_iter().chain(ends.iter().copied());
    starts
        .zip(&ends)
        .map(|(start, end)| trimmed(text, start..*end))
        .filter(|range| !range.is_empty())
        .collect()
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let start = range.start + (inner.len() - inner.trim_start().len());
    start..start + inner.trim().len()
}

/// Every place behind a stop, what closes after it, and white space.
fn after_stops(text: &str) -> impl Iterator<Item = usize> {
    let mut stopped = false;
    let mut spaced = false;
    text.char_indices().filter_map(move |(at, char)| {
        let ends = spaced && !char.is_whitespace();
        spaced = stopped && char.is_whitespace() || spaced && char.is_whitespace();
        stopped = is_stop(char) || stopped && closes(char);
        ends.then_some(at)
    })
}

fn closes(char: char) -> bool {
    matches!(char, '"' | '\'' | '”' | '’' | '»')
}

/// Whether a sentence really ends at a place.
fn ends_here(text: &str, end: usize, code: &[Range<usize>]) -> bool {
    let before = &text[..end];
    let closed = before.trim_end();
    let bare = closed.trim_end_matches(|char| closes(char) || char == ')');
    let Some(stop) = bare.chars().next_back().filter(|char| is_stop(*char)) else {
        return false;
    };
    let spaced = before.len() > closed.len();
    if !spaced && !WIDE.contains(&stop) {
        return false;
    }
    let at = bare.len() - stop.len_utf8();
    if code.iter().any(|code| code.contains(&at)) {
        return false;
    }
    let rest = text[end..].trim_start();
    let small = rest.starts_with(char::is_lowercase);
    match stop {
        '…' => !small,
        '.' if bare[..at].ends_with('.') => !small,
        '.' => !abbreviation::ends(&bare[..at], rest),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(text: &str) -> Vec<&str> {
        split(text, &[])
            .into_iter()
            .map(|range| &text[range])
            .collect()
    }

    #[test]
    fn sentences_end_where_a_reader_would_pause() {
        for (text, expected) in [
            ("Hello. World.", &["Hello.", "World."][..]),
            ("Just one", &["Just one"]),
            ("", &[]),
            ("One.Two. Three", &["One.Two.", "Three"]),
            ("See main.rs. It works.", &["See main.rs.", "It works."]),
            ("Use e.g. This one. Next.", &["Use e.g. This one.", "Next."]),
            ("e.g. this is odd. Next.", &["e.g. this is odd.", "Next."]),
            (
                "Took 3.5 s. Then v1.2.3 came. Done.",
                &["Took 3.5 s.", "Then v1.2.3 came.", "Done."],
            ),
            ("All done. 12 tests pass.", &["All done.", "12 tests pass."]),
            ("fixed it. tests pass.", &["fixed it.", "tests pass."]),
            (
                "Ask Dr. Smith, Mr. J. Doe etc. today.",
                &["Ask Dr. Smith, Mr. J. Doe etc. today."],
            ),
            ("A, B etc. Then more.", &["A, B etc.", "Then more."]),
            ("Wait... what? Yes!", &["Wait... what?", "Yes!"]),
            ("A!B C! D", &["A!B C!", "D"]),
            (
                "He said \"Go.\" Then left.",
                &["He said \"Go.\"", "Then left."],
            ),
            ("(Done.) Next.", &["(Done.)", "Next."]),
            ("안녕하세요. 끝났습니다.", &["안녕하세요.", "끝났습니다."]),
            ("完了しました。次へ。", &["完了しました。", "次へ。"]),
            (
                "Tab.\tNext.  Double space.",
                &["Tab.", "Next.", "Double space."],
            ),
            ("Is it? Yes.", &["Is it?", "Yes."]),
            (
                "See No. 5 and Fig. 2 vs. the rest.",
                &["See No. 5 and Fig. 2 vs. the rest."],
            ),
        ] {
            assert_eq!(sentences(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_stop_in_code_ends_nothing() {
        let text = "code. then. end";
        let parts: Vec<&str> = split(text, std::slice::from_ref(&(0..5)))
            .into_iter()
            .map(|range| &text[range])
            .collect();
        assert_eq!(parts, ["code. then.", "end"]);
    }
}
