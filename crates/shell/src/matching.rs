//! Shell patterns: `*`, `?`, `[…]` and escapes, matched without recursion.

/// Whether a name matches a pattern. A star also matches slashes and dots: who needs it otherwise asks
/// for names alone.
pub fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut of) = (0, 0);
    // Where to go back to: behind the last star, and one character further in the name.
    let mut retry: Option<(usize, usize)> = None;
    loop {
        if at < pattern.len() && pattern[at] == '*' {
            retry = Some((at + 1, of));
            at += 1;
            continue;
        }
        if of < name.len()
            && let Some(next) = one(&pattern, at, name[of])
        {
            (at, of) = (next, of + 1);
            continue;
        }
        if at == pattern.len() && of == name.len() {
            return true;
        }
        match retry {
            Some((star, from)) if from < name.len() => {
                retry = Some((star, from + 1));
                (at, of) = (star, from + 1);
            }
            _ => return false,
        }
    }
}

/// Matches one character; where the pattern goes on.
fn one(pattern: &[char], at: usize, character: char) -> Option<usize> {
    match *pattern.get(at)? {
        '?' => Some(at + 1),
        '\\' => {
            let escaped = pattern.get(at + 1).copied().unwrap_or('\\');
            (escaped == character).then_some((at + 2).min(pattern.len()))
        }
        '[' => match set(pattern, at, character) {
            Some((end, true)) => Some(end),
            Some((_, false)) => None,
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
    use super::matches;

    #[test]
    fn patterns_match_as_the_shell_matches() {
        for (pattern, name, expected) in [
            ("*", "", true),
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
}
