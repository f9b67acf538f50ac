//! Patterns over calls: which words and options make a call one that destroys or publishes.
//!
//! Alternatives stand between `;`. In each of them a word is that of an operand, in order from the first on;
//! `..word` may stand anywhere, `--name` is an option, and `!` before either says that it must not be there.
//! `a|b` is one of several and `*` is anything: `s3 rm|rb; s3 sync --delete; ..delete-*`. Case does not
//! count. A pattern without words fits every call.

use std::borrow::Cow;

use crate::matching::matches;
use crate::options::Options;
use crate::text::Text;

/// Whether a call fits a pattern.
pub(crate) fn fit(pattern: &str, options: &Options) -> bool {
    pattern.split(';').any(|call| {
        let mut operands = options.operands.iter();
        call.split_whitespace().all(|part| {
            let (part, wanted) = match part.strip_prefix('!') {
                Some(part) => (part, false),
                None => (part, true),
            };
            let there = if part.starts_with('-') {
                options.has(part.trim_start_matches('-'))
            } else if let Some(word) = part.strip_prefix("..") {
                options.operands.iter().any(|operand| is(word, operand))
            } else {
                operands.next().is_some_and(|operand| is(part, operand))
            };
            there == wanted
        })
    })
}

fn is(words: &str, operand: &Text) -> bool {
    let shown = operand
        .known()
        .map_or_else(|| Cow::Owned(operand.shown()), Cow::Borrowed);
    words.split('|').any(|word| {
        if word.contains('*') {
            matches(word, &shown.to_ascii_lowercase())
        } else {
            shown.eq_ignore_ascii_case(word)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_fit_by_words_and_options() {
        const DESCRIBED: &str = "delete n|dry-run";
        for (pattern, line, expected) in [
            ("", "anything", true),
            ("publish", "publish x", true),
            ("publish", "x publish", false),
            ("..publish", "x publish", true),
            ("s3 rm|rb", "s3 RB x", true),
            ("s3 rm|rb", "s3 ls", false),
            ("..delete-*", "ec2 delete-vpc", true),
            ("a;b", "b", true),
            ("sync --delete", "sync --delete x", true),
            ("sync --delete", "sync x", false),
            ("publish !--dry-run", "publish -n", false),
            ("publish !--dry-run", "publish", true),
            ("* * !..print", "a b", true),
            ("* * !..print", "a print", false),
            ("* *", "a", false),
            (".|.\\*|", ".*", true),
            (".|.\\*|", ".x", false),
        ] {
            let words: Vec<Text> = line.split(' ').map(Text::plain).collect();
            let options = Options::read(&words, DESCRIBED);
            assert_eq!(fit(pattern, &options), expected, "{pattern}: {line}");
        }
    }
}
