//! Patterns of the shell: `*`, `?`, `[…]` and escapes, matched without recursion.

/// Whether a name matches a pattern. A star also matches slashes and dots: who needs it otherwise asks
/// for names alone.
pub fn matches(pattern: &str, name: &str) -> bool {
    fits(pattern, name, Slash::Plain)
}

/// Whether a path matches a pattern: `*`, `?` and sets stand for anything but `/`, `**` for that too, and
/// `**/` also for no folder at all.
pub fn matches_path(pattern: &str, path: &str) -> bool {
    fits(pattern, path, Slash::Separates)
}

/// What a slash is in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slash {
    /// A character like any other.
    Plain,
    /// It ends the name of a folder.
    Separates,
}

/// What stars stand for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Star {
    /// Anything without a slash.
    Part,
    /// Any number of whole folders.
    Folders,
    Anything,
}

/// Where to go back to: behind a star, and further in the text.
#[derive(Clone, Copy)]
struct Retry {
    star: Star,
    at: usize,
    of: usize,
}

impl Retry {
    /// The same with more of the text taken by the star.
    fn next(self, text: &[char]) -> Option<Self> {
        let rest = text.get(self.of..)?;
        let more = match self.star {
            Star::Anything => (!rest.is_empty()).then_some(1),
            Star::Part => rest.first().filter(|first| **first != '/').map(|_| 1),
            Star::Folders => Some(rest.iter().position(|char| *char == '/')? + 1),
        }?;
        Some(Self {
            of: self.of + more,
            ..self
        })
    }
}

fn fits(pattern: &str, text: &str, slash: Slash) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut at, mut of) = (0, 0);
    // Once a star fits, those before it need no other try, but for one that crosses slashes when this one
    // does not.
    let (mut part, mut wide): (Option<Retry>, Option<Retry>) = (None, None);
    loop {
        if let Some((star, behind)) = stars(&pattern, at, slash) {
            at = behind;
            let retry = Some(Retry { star, at, of });
            if star == Star::Part {
                part = retry;
            } else {
                (part, wide) = (None, retry);
            }
            continue;
        }
        if let Some(character) = text.get(of)
            && let Some(next) = one(&pattern, at, *character, slash)
        {
            (at, of) = (next, of + 1);
            continue;
        }
        if at == pattern.len() && of == text.len() {
            return true;
        }
        part = part.and_then(|retry| retry.next(&text));
        if part.is_none() {
            wide = wide.and_then(|retry| retry.next(&text));
        }
        match part.or(wide) {
            Some(retry) => (at, of) = (retry.at, retry.of),
            None => return false,
        }
    }
}

/// The stars at a place of the pattern, and where it goes on behind them.
fn stars(pattern: &[char], at: usize, slash: Slash) -> Option<(Star, usize)> {
    let count = pattern[at..]
        .iter()
        .take_while(|char| **char == '*')
        .count();
    let behind = at + count;
    let begins = at == 0 || pattern[at - 1] == '/';
    match (slash, count) {
        (_, 0) => None,
        (Slash::Plain, _) => Some((Star::Anything, behind)),
        (_, 1) => Some((Star::Part, behind)),
        (_, 2) if begins && pattern.get(behind) == Some(&'/') => Some((Star::Folders, behind + 1)),
        _ => Some((Star::Anything, behind)),
    }
}

/// Matches one character; where the pattern goes on.
fn one(pattern: &[char], at: usize, character: char, slash: Slash) -> Option<usize> {
    let is_wild = slash == Slash::Plain || character != '/';
    match *pattern.get(at)? {
        '?' => is_wild.then_some(at + 1),
        '\\' => {
            let escaped = pattern.get(at + 1).copied().unwrap_or('\\');
            (escaped == character).then_some((at + 2).min(pattern.len()))
        }
        '[' => match set(pattern, at, character) {
            Some((end, found)) => (found && is_wild).then_some(end),
            None => (character == '[').then_some(at + 1),
        },
        plain => (plain == character).then_some(at + 1),
    }
}

/// Where a set ends, and whether the character is in it.
fn set(pattern: &[char], open: usize, character: char) -> Option<(usize, bool)> {
    let negated = matches!(pattern.get(open + 1), Some('!' | '^'));
    let first = open + 1 + usize::from(negated);
    let close = first + 1 + pattern.get(first + 1..)?.iter().position(|c| *c == ']')?;
    let items = &pattern[first..close];
    let mut found = false;
    let mut at = 0;
    while at < items.len() {
        if at + 2 < items.len() && items[at + 1] == '-' {
            found |= (items[at]..=items[at + 2]).contains(&character);
            at += 3;
        } else {
            found |= items[at] == character;
            at += 1;
        }
    }
    Some((close + 1, found != negated))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_the_shell_matches() {
        for (pattern, name, expected) in [
            ("*", "", true),
            ("*", "a/b", true),
            ("*.rs", "a.rs", true),
            ("*.rs", "a.rst", false),
            ("et?", "etc", true),
            ("et[c]", "etc", true),
            ("et[!c]", "etc", false),
            ("[a-f]*g", "eggg", true),
            ("a\\*b", "a*b", true),
            ("a\\*b", "axb", false),
            ("[", "[", true),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("", "", true),
            ("\\", "\\", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
        let long = "a".repeat(20_000);
        assert!(!matches(&("*a".repeat(12) + "b"), &long));
    }

    #[test]
    fn patterns_of_paths_keep_to_folders() {
        for (pattern, text, expected) in [
            ("main", "main", true),
            ("main", "maine", false),
            ("release/*", "release/1", true),
            ("release/*", "release/1/x", false),
            ("release/**", "release/1/x", true),
            ("*.pem", "a.pem", true),
            ("*.pem", "a/b.pem", false),
            ("**/*.pem", "a/b.pem", true),
            ("**/*.pem", "b.pem", true),
            ("a/**/b", "a/b", true),
            ("a/**/b", "a/x/y/b", true),
            ("a/**/b", "ab", false),
            ("a**b", "a/x/b", true),
            ("**/a*/b", "x/ac/y/ad/b", true),
            ("v?.[0-9]", "v1.7", true),
            ("v?.[!0-9]", "v1.7", false),
            ("a?b", "a/b", false),
            ("a[/]b", "a/b", false),
            ("[]]", "]", true),
            ("[", "[", true),
            (r"\*", "*", true),
            (r"\*", "x", false),
            ("", "", true),
            ("*", "", true),
            ("a*b*c", "a12b34c", true),
        ] {
            assert_eq!(matches_path(pattern, text), expected, "{pattern} {text}");
        }
        assert!(!matches_path(&"*a".repeat(2000), &"a".repeat(1999)));
    }

    /// Tries every way that a path can match, which takes long and is surely right.
    fn tried(pattern: &[char], text: &[char], before: Option<char>) -> bool {
        let Some(first) = pattern.first() else {
            return text.is_empty();
        };
        let begins = before.is_none_or(|before| before == '/');
        match (first, pattern.get(1), pattern.get(2)) {
            ('*', Some('*'), Some('/')) if begins => {
                let rest = &pattern[3..];
                let behind = (0..text.len()).filter(|at| text[*at] == '/');
                tried(rest, text, Some('/'))
                    || behind
                        .into_iter()
                        .any(|at| tried(rest, &text[at + 1..], Some('/')))
            }
            ('*', Some('*'), _) => {
                let stars = pattern.iter().take_while(|char| **char == '*').count();
                (0..=text.len()).any(|at| tried(&pattern[stars..], &text[at..], Some('*')))
            }
            ('*', ..) => {
                let part = text.iter().take_while(|char| **char != '/').count();
                (0..=part).any(|at| tried(&pattern[1..], &text[at..], Some('*')))
            }
            (first, ..) => {
                let fits = |char: &char| char == first || (*first == '?' && *char != '/');
                text.first().is_some_and(fits) && tried(&pattern[1..], &text[1..], Some(*first))
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn paths_match_as_when_every_way_is_tried(pattern in "[ab/*?]{0,9}", text in "[ab/]{0,9}") {
            let (patterns, texts): (Vec<char>, Vec<char>) =
                (pattern.chars().collect(), text.chars().collect());
            let expected = tried(&patterns, &texts, None);
            proptest::prop_assert_eq!(matches_path(&pattern, &text), expected, "{} {}", pattern, text);
        }
    }
}
