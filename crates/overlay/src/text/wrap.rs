//! Where lines end.

/// What stands for the rest of a text that is cut.
const REST: char = '…';

/// Parts a text into at most `most` lines no wider than `width`; the last one ends with "…" where something is left out.
pub(super) fn wrap(
    text: &str,
    width: f32,
    most: usize,
    mut wide: impl FnMut(char) -> f32,
) -> Vec<String> {
    let mut lines = Vec::new();
    let mut left = text.trim();
    while !left.is_empty() && lines.len() < most {
        let end = line_end(left, width, &mut wide);
        let (line, rest) = left.split_at(end);
        lines.push(line.trim_end().to_owned());
        left = after(rest);
    }
    if !left.is_empty()
        && let Some(last) = lines.last_mut()
    {
        shorten(last, width, &mut wide);
    }
    lines
}

/// Cuts the end of a line so that "…" fits behind it.
fn shorten(line: &mut String, width: f32, wide: &mut impl FnMut(char) -> f32) {
    let mut taken: f32 = wide(REST) + line.chars().map(&mut *wide).sum::<f32>();
    while taken > width
        && let Some(last) = line.pop()
    {
        taken -= wide(last);
    }
    let end = line.trim_end().len();
    line.truncate(end);
    line.push(REST);
}

/// What begins the next line: the break itself is not shown.
fn after(rest: &str) -> &str {
    let rest = rest.trim_start_matches([' ', '\t']);
    rest.strip_prefix('\n').unwrap_or(rest)
}

/// How much of a text goes on one line; never nothing.
fn line_end(text: &str, width: f32, wide: &mut impl FnMut(char) -> f32) -> usize {
    let mut taken = 0.0;
    let mut ends = Ends::default();
    let mut before = None;
    for (at, c) in text.char_indices() {
        if c == '\n' {
            return at;
        }
        if let Some(before) = before {
            ends.note(before, c, (at, taken));
        }
        taken += wide(c);
        if taken > width && !c.is_whitespace() {
            let first = text.chars().next().map_or(0, char::len_utf8);
            return ends.best(width).unwrap_or(at.max(first));
        }
        before = Some(c);
    }
    text.len()
}

/// The last places at which a line may end, each with how wide the line is then.
#[derive(Debug, Default)]
struct Ends {
    space: Option<(usize, f32)>,
    syllable: Option<(usize, f32)>,
    mark: Option<(usize, f32)>,
}

impl Ends {
    fn note(&mut self, before: char, c: char, end: (usize, f32)) {
        if c.is_whitespace() || before_none(c) || "([{“‘「『（".contains(before) {
            return;
        }
        if before.is_whitespace() {
            self.space = Some(end);
        } else if is_wide(before) || is_wide(c) {
            self.syllable = Some(end);
        } else if "/\\-_.,:;=&?".contains(before) {
            self.mark = Some(end);
        }
    }

    /// Words stay whole, unless that leaves much of the line empty.
    fn best(&self, width: f32) -> Option<usize> {
        let filled = |end: &(usize, f32)| end.1 > width * 0.6;
        let found = self.space.filter(filled);
        let found = found.or(self.syllable.filter(filled));
        let found = found.or(self.mark.filter(filled));
        found.or(self.space).or(self.syllable).map(|(at, _)| at)
    }
}

/// What no line begins with.
fn before_none(c: char) -> bool {
    ".,:;!?)]}%…”’。、，．！？：；）」』】〉》".contains(c)
}

/// Scripts whose words end anywhere: Hangul, Han, Kana.
const fn is_wide(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{9fff}' | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A letter is one wide, a syllable two.
    fn wrapped(text: &str, width: f32, most: usize) -> Vec<String> {
        wrap(text, width, most, |c| if is_wide(c) { 2.0 } else { 1.0 })
    }

    #[test]
    fn words_stay_whole_where_they_fit() {
        assert_eq!(
            wrapped("run the whole suite", 9.0, 5),
            ["run the", "whole", "suite"]
        );
        assert_eq!(wrapped("  one line  ", 20.0, 5), ["one line"]);
        assert_eq!(wrapped("a\n\nb c", 20.0, 5), ["a", "", "b c"]);
        assert_eq!(wrapped("", 20.0, 5), Vec::<String>::new());
        assert_eq!(wrapped("exactly it", 7.0, 5), ["exactly", "it"]);
    }

    #[test]
    fn long_words_break_at_a_mark_or_anywhere() {
        assert_eq!(
            wrapped("src/text/wrap.rs", 10.0, 5),
            ["src/text/", "wrap.rs"]
        );
        assert_eq!(wrapped("abcdefghij", 4.0, 5), ["abcd", "efgh", "ij"]);
        assert_eq!(wrapped("abc", 0.5, 5), ["a", "b", "c"]);
        assert_eq!(wrapped("가", 0.5, 5), ["가"]);
    }

    #[test]
    fn korean_breaks_between_syllables_but_not_before_a_full_stop() {
        assert_eq!(
            wrapped("시험을 돌립니다.", 7.0, 5),
            ["시험을", "돌립니", "다."]
        );
        assert_eq!(wrapped("가나다.", 6.0, 5), ["가나", "다."]);
    }

    #[test]
    fn the_rest_is_told_by_a_mark_that_fits() {
        assert_eq!(
            wrapped("run the whole suite", 9.0, 2),
            ["run the", "whole…"]
        );
        assert_eq!(wrapped("abcdefghij", 4.0, 1), ["abc…"]);
        assert_eq!(wrapped("시험을 돌립니다", 7.0, 1), ["시험을…"]);
        assert_eq!(wrapped("a\nb", 9.0, 1), ["a…"]);
    }
}
