//! Brace expansion: `{a,b}`, `{1..5}`, with what stands before and after.

use rable::{Node, NodeKind};

use crate::parse;

/// The most words that one becomes.
const MOST: usize = 64;
/// The most bytes that they have together: each is read anew.
const TOGETHER: usize = 32 * 1024;

/// The words that a word with braces becomes, as sources and parts.
pub(super) fn variants(value: &str, parts: &[Node]) -> Vec<(String, Vec<Node>)> {
    let whole = || vec![(value.to_owned(), parts.to_vec())];
    if !parts
        .iter()
        .any(|part| matches!(part.kind, NodeKind::BraceExpansion { .. }))
    {
        return whole();
    }
    let sources = expanded(value);
    if sources == [value] {
        return whole();
    }
    sources
        .into_iter()
        .map(|source| {
            let word = parse::words(&source).and_then(|words| words.into_iter().next());
            match word.map(|word| word.kind) {
                Some(NodeKind::Word { value, parts, .. }) => (value, parts),
                _ => (source, Vec::new()),
            }
        })
        .collect()
}

/// The texts that a text with braces becomes.
fn expanded(text: &str) -> Vec<String> {
    let most = (TOGETHER / text.len().max(1)).min(MOST);
    let mut done = Vec::new();
    let mut open = vec![text.to_owned()];
    while let Some(text) = open.pop() {
        if done.len() + open.len() >= most {
            // What is left out may be anything.
            done.push("$__braces".to_owned());
            break;
        }
        match first(&text) {
            Some((before, items, after)) => {
                let all = items.iter().map(|item| format!("{before}{item}{after}"));
                open.extend(all.rev());
            }
            None => done.push(text),
        }
    }
    done
}

/// The first braces that expand: what stands before, the items, what comes after.
fn first(text: &str) -> Option<(&str, Vec<String>, &str)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'\'' => at += 1 + text[at + 1..].find('\'')?,
            b'"' => at += 1 + text[at + 1..].find('"')?,
            b'$' | b'`' => {
                if let Some(length) = super::raw::expansion(&text[at..]) {
                    at += length - 1;
                }
            }
            b'{' => {
                if let Some((end, items)) = items(&text[at..]) {
                    return Some((&text[..at], items, &text[at + end..]));
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The items of the braces that a text begins with, and where they end.
fn items(text: &str) -> Option<(usize, Vec<String>)> {
    let bytes = text.as_bytes();
    let (mut depth, mut start, mut at) = (0_usize, 1, 0);
    let mut items = Vec::new();
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'\'' => at += 1 + text[at + 1..].find('\'')?,
            b'"' => at += 1 + text[at + 1..].find('"')?,
            b'{' => depth += 1,
            b',' if depth == 1 => {
                items.push(text[start..at].to_owned());
                start = at + 1;
            }
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    let last = text[start..at].to_owned();
                    return if items.is_empty() {
                        sequence(&last).map(|items| (at + 1, items))
                    } else {
                        items.push(last);
                        Some((at + 1, items))
                    };
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// `1..5`, `a..e`, with an optional step.
fn sequence(text: &str) -> Option<Vec<String>> {
    let mut ends = text.split("..");
    let (from, to) = (ends.next()?, ends.next()?);
    if let (Ok(from), Ok(to)) = (from.parse::<i64>(), to.parse::<i64>()) {
        let numbers: Vec<String> = if from <= to {
            (from..=to).take(MOST).map(|n| n.to_string()).collect()
        } else {
            (to..=from)
                .rev()
                .take(MOST)
                .map(|n| n.to_string())
                .collect()
        };
        return Some(numbers);
    }
    let letter = |text: &str| {
        let mut characters = text.chars();
        characters
            .next()
            .filter(|letter| letter.is_ascii_alphabetic() && characters.as_str().is_empty())
    };
    let (from, to) = (letter(from)?, letter(to)?);
    Some((from.min(to)..=from.max(to)).map(String::from).collect())
}

#[cfg(test)]
mod tests {
    use super::expanded;

    #[test]
    fn braces_expand_in_order() {
        for (text, expected) in [
            ("a{b,c}d", "abd acd"),
            ("{rm,-rf,/}", "rm -rf /"),
            ("{a,{b,c}}x", "ax bx cx"),
            ("{1..3}", "1 2 3"),
            ("{c..a}", "a b c"),
            ("{x}", "{x}"),
            ("'{a,b}'", "'{a,b}'"),
            ("${x}{a,b}", "${x}a ${x}b"),
            ("/{etc,usr}/{a,b}", "/etc/a /etc/b /usr/a /usr/b"),
        ] {
            assert_eq!(expanded(text).join(" "), expected, "{text}");
        }
        assert!(expanded(&"{a,b}".repeat(40)).len() <= 65);
    }
}
