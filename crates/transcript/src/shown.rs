//! Foreign text as it may be shown: masked, without what steers, and bounded.

use bellwether_spine::text;

/// So much more is masked than is shown, so that a secret is whole when it is looked for.
const MARGIN: usize = 64 * 1024;

/// How much of a session is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Of a message, in bytes.
    pub words: usize,
    /// Of what goes into a tool, and of what comes out of it.
    pub tool: usize,
    /// Of one image, as it stands in the transcript.
    pub image: usize,
    /// Of all images of a page together.
    pub images: usize,
}

impl Limits {
    /// Enough for every session that people read; a page of it opens at once.
    pub const USUAL: Self = Self {
        words: 128 * 1024,
        tool: 24 * 1024,
        image: 3 * 1024 * 1024,
        images: 24 * 1024 * 1024,
    };
    /// Nearly all there is.
    pub const FULL: Self = Self {
        words: 1024 * 1024,
        tool: 1024 * 1024,
        image: 12 * 1024 * 1024,
        images: 200 * 1024 * 1024,
    };
}

/// The beginning of a text. One that was cut says so at its end.
pub(crate) fn beginning(words: &str, most: usize) -> String {
    let looked_at = first(words, most + MARGIN);
    let clean = text::shown_block(looked_at);
    let kept = first(&clean, most);
    if kept.len() == clean.len() && looked_at.len() == words.len() {
        return clean;
    }
    format!("{kept}\n[cut: {} bytes in all]", words.len())
}

/// Beginning and end of a text: of a long output both count. What was cut says so in between.
pub(crate) fn ends(words: &str, most: usize) -> String {
    if words.len() <= most {
        return text::shown_block(words);
    }
    let (head, tail) = (most / 3 * 2, most / 3);
    let front = text::shown_block(first(words, head + MARGIN));
    let back = text::shown_block(last(words, tail + MARGIN));
    let (front, back) = (first(&front, head), last(&back, tail));
    // Whole lines, if that costs little.
    let front = front.rsplit_once('\n').map_or(front, |(whole, _)| whole);
    let back = back.split_once('\n').map_or(back, |(_, whole)| whole);
    let left_out = words.len().saturating_sub(head + tail);
    format!("{front}\n[… {left_out} bytes left out …]\n{back}")
}

/// One line.
pub(crate) fn line(words: &str, most: usize) -> String {
    text::shown(first(words, most * 4 + MARGIN), most)
}

/// No more than the first so many bytes, in whole characters.
pub(crate) fn first(words: &str, bytes: usize) -> &str {
    &words[..words.floor_char_boundary(bytes)]
}

fn last(words: &str, bytes: usize) -> &str {
    &words[words.ceil_char_boundary(words.len().saturating_sub(bytes))..]
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "sk-abcdefghijklmnopqrstuvwxyz0123456789";

    #[test]
    fn what_is_long_is_cut_and_says_so() {
        let text = beginning(&"y".repeat(4097), 4096);
        assert!(
            text.ends_with("[cut: 4097 bytes in all]") && text.len() < 4140,
            "{text}"
        );
        let lines: Vec<String> = (0..2000).map(|number| format!("line {number}")).collect();
        let lines = lines.join("\n") + "\n";
        let text = ends(&lines, 900);
        assert!(
            text.starts_with("line 0\n") && text.ends_with("line 1999\n"),
            "{text}"
        );
        assert!(
            text.contains(" bytes left out …]\n") && text.len() < 1000,
            "{text}"
        );
        assert_eq!(ends("short\n", 900), "short\n");
        assert_eq!(
            ends(&"é".repeat(3000), 900)
                .chars()
                .filter(|one| *one == '\u{fffd}')
                .count(),
            0
        );
    }

    #[test]
    fn a_secret_at_a_cut_is_whole_when_it_is_looked_for() {
        for place in 580..620 {
            let front = format!("{}{KEY} {}", "z ".repeat(place / 2), "x ".repeat(9000));
            assert!(!ends(&front, 900).contains("sk-ab"), "{place}");
            assert!(!beginning(&front, 600).contains("sk-ab"), "{place}");
        }
        for place in 270..330 {
            let back = format!("{} {KEY}{}", "x ".repeat(9000), " z".repeat(place / 2));
            let text = ends(&back, 900);
            assert!(
                !text.contains("6789") && !text.contains("wxyz"),
                "{place} {text}"
            );
        }
        assert!(!line(&format!("{KEY} and more"), 10).contains("sk-ab"));
    }
}
