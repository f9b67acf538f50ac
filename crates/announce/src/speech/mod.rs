//! Text made fit to be spoken: what an agent writes as markdown becomes sentences without code
//! blocks, tables, addresses, emoji and secrets, and without anything that steers a terminal.

mod abbreviation;
mod command;
mod markdown;
mod sentences;
mod words;

use std::borrow::Cow;

use bellwether_spine::text;

pub use command::{Brief, brief};

/// No more of a message than this is looked at, half of it from each end.
const MOST: usize = 256 * 1024;

/// A sentence fit to be spoken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    pub text: String,
    /// It is the title of what follows.
    pub is_heading: bool,
}

/// The sentences of a message that is written in markdown.
pub fn sentences(markdown: &str) -> Vec<Sentence> {
    let blocks = markdown::blocks(&text::shown_block(&ends(markdown)));
    blocks
        .into_iter()
        .flat_map(markdown::Block::sentences)
        .collect()
}

/// A whole message that is written in markdown, as one text.
pub fn whole(markdown: &str) -> String {
    let sentences = sentences(markdown);
    joined(sentences.iter().map(|sentence| sentence.text.as_str()))
}

/// Plain words, such as a notification's, as one line of at most `max` characters.
pub fn line(words: &str, max: usize) -> String {
    let line = without_mask(&text::shown_block(&ends(words)));
    line.chars().take(max).collect()
}

/// The name of a file or folder, of at most `max` characters; `None` when a path has none.
pub fn file_name(path: &str, max: usize) -> Option<String> {
    let name = path
        .trim_end_matches(['/', '\\'])
        .rsplit(['/', '\\'])
        .next()?;
    Some(line(name, max)).filter(|name| name.chars().any(char::is_alphanumeric))
}

/// The machine that an address names: neither who asks it nor what for.
pub fn host(address: &str) -> Option<String> {
    let rest = address.split_once("://")?.1;
    let place = rest.split(['/', '?', '#']).next()?;
    let host = place.rsplit('@').next()?;
    let host = match host.strip_prefix('[') {
        Some(inner) => inner.split(']').next()?,
        None => host.split(':').next()?,
    };
    let host = host.strip_prefix("www.").unwrap_or(host);
    (!host.is_empty()).then(|| host.to_owned())
}

/// Sentences as one text; what ends without a stop gets one where something follows.
pub fn joined<'a>(sentences: impl Iterator<Item = &'a str>) -> String {
    sentences.fold(String::new(), |mut whole, sentence| {
        if !whole.is_empty() {
            if !pauses(&whole) {
                whole.push('.');
            }
            whole.push(' ');
        }
        whole.push_str(sentence);
        whole
    })
}

/// Whether a voice would pause behind a text.
fn pauses(text: &str) -> bool {
    let bare = text.trim_end_matches([')', ']', '"', '\'', '”', '’', '»']);
    bare.ends_with(sentences::is_stop) || bare.ends_with([':', ',', ';'])
}

/// A secret is not spoken, and neither is the note that there was one.
fn without_mask(masked: &str) -> String {
    let kept = masked.replace(text::MASKED, " ");
    let words: Vec<&str> = kept.split_whitespace().collect();
    words.join(" ")
}

/// A text, or its two ends.
fn ends(whole: &str) -> Cow<'_, str> {
    if whole.len() <= MOST {
        return Cow::Borrowed(whole);
    }
    let (first, last) = (
        whole.floor_char_boundary(MOST / 2),
        whole.ceil_char_boundary(whole.len() - MOST / 2),
    );
    Cow::Owned(format!("{}\n\n{}", &whole[..first], &whole[last..]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn markdown_becomes_speech() {
        for (markdown, spoken) in [
            ("Plain words.", "Plain words."),
            (
                "## Summary\n\nFixed the **login** bug in `auth.ts`.",
                "Summary. Fixed the login bug in auth.ts.",
            ),
            (
                "I looked.\n\n- Fixed A\n- Added B",
                "I looked. Fixed A. Added B",
            ),
            ("1. One\n2. Two", "One. Two"),
            ("(Done.) Next.", "(Done.) Next."),
            ("- [x] Tested\n- [ ] Shipped", "Tested. Shipped"),
            (
                "```js\nconst x = 1;\n```\nCreated the file.",
                "Created the file.",
            ),
            ("Before:\n\n    indented code\n\nAfter.", "Before: After."),
            ("| a | b |\n|---|---|\n| 1 | 2 |\n\nDone.", "Done."),
            (
                "See [the guide](https://x.test/a) and https://x.test/b now.",
                "See the guide and now.",
            ),
            (
                "See <https://x.test> or [https://x.test](https://x.test).",
                "See or.",
            ),
            ("![a picture](x.png) Look.", "a picture Look."),
            ("🎉 Done! All tests pass. 🎉", "Done! All tests pass."),
            ("It is <b>bold</b>.<!-- no -->", "It is bold."),
            ("A line\nthat goes on.", "A line that goes on."),
            (
                "Wrote /home/dev/proj/src/main.rs and src/lib.rs:12.",
                "Wrote main.rs and lib.rs.",
            ),
            (
                "Run `cargo test -p x/y` in `crates/announce/`.",
                "Run cargo test -p x/y in announce.",
            ),
            (
                "Either and/or both, 3/4 of I/O.",
                "Either and/or both, 3/4 of I/O.",
            ),
            ("I’ve set  up it.", "I've set up it."),
            (
                "The key is sk-ant-api03-abcdefghijklmnop0123, keep it.",
                "The key is, keep it.",
            ),
            ("postgres://app:s3cr3t@db/main is the base.", "is the base."),
            ("Use sk\\_live\\_abcdefghijklmnopqrstuv now.", "Use now."),
            ("red \u{1b}[31malarm\u{1b}[0m \u{202e}x", "red alarm x"),
            ("> quoted words", "quoted words"),
            ("---", ""),
            ("", ""),
            (
                "모든 테스트가 **통과**했습니다. 끝.",
                "모든 테스트가 통과했습니다. 끝.",
            ),
        ] {
            assert_eq!(whole(markdown), spoken, "{markdown:?}");
        }
    }

    #[test]
    fn plain_words_stay_as_they_are_but_for_secrets_and_control() {
        assert_eq!(
            line("quote \" and $HOME `x`", 200),
            "quote \" and $HOME `x`"
        );
        assert_eq!(line(" a\u{7}\n b TOKEN=abc ", 200), "a b TOKEN=");
        assert_eq!(line("가나다라", 2), "가나");
    }

    #[test]
    fn files_and_machines_have_short_names() {
        assert_eq!(
            file_name("/home/dev/shop/src/main.rs", 40).unwrap(),
            "main.rs"
        );
        assert_eq!(file_name("C:\\shop\\", 40).unwrap(), "shop");
        assert_eq!(file_name("/", 40), None);
        for (address, expected) in [
            ("https://www.docs.rs/serde?key=1", Some("docs.rs")),
            ("http://dev:pw@host:8080/x", Some("host")),
            ("http://[::1]:9/", Some("::1")),
            ("http:///x", None),
            ("docs.rs", None),
        ] {
            assert_eq!(host(address).as_deref(), expected, "{address}");
        }
    }

    #[test]
    fn a_huge_message_keeps_its_ends() {
        let huge = format!("First. {}\n\nLast?", "word ".repeat(200_000));
        let sentences = sentences(&huge);
        assert_eq!(sentences[0].text, "First.");
        assert_eq!(sentences.last().unwrap().text, "Last?");
    }

    proptest! {
        #[test]
        fn nothing_that_steers_is_spoken(text in "(\\PC|[\u{1b}\u{9b}\u{7}\u{0}\n`*_#|<>-]|\\[|\\]){0,80}") {
            let spoken = whole(&text);
            prop_assert!(spoken.chars().all(|char| !char.is_control()), "{:?}", spoken);
        }
    }
}
