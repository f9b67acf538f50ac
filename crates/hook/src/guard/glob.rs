//! Patterns of the shell over names and paths: `*`, `?`, `[a-z]`, and `**` across folders.

/// Whether a text fits a pattern; `*` and `?` stand for anything but `/`, and `**` for that too.
pub fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), text.chars().collect());
    fits(&pattern, &text)
}

/// Every place in the pattern that can be reached is followed at once, so that no pattern takes
/// longer than its length times that of the text.
fn fits(pattern: &[char], text: &[char]) -> bool {
    let mut places = vec![false; pattern.len() + 1];
    places[0] = true;
    spread(pattern, &mut places);
    for char in text {
        let mut next = vec![false; pattern.len() + 1];
        for at in (0..pattern.len()).filter(|at| places[*at]) {
            if let Some(to) = step(pattern, at, *char) {
                next[to] = true;
            }
        }
        spread(pattern, &mut next);
        places = next;
    }
    places[pattern.len()]
}

/// The place behind a character that fits at a place of the pattern.
fn step(pattern: &[char], at: usize, char: char) -> Option<usize> {
    let (fits, to) = match pattern[at] {
        '*' => (char != '/' || is_deep(pattern, at), at),
        '?' => (char != '/', at + 1),
        '[' => match class(&pattern[at..], char) {
            Some((fits, length)) => (fits, at + length),
            None => (char == '[', at + 1),
        },
        '\\' if at + 1 < pattern.len() => (pattern[at + 1] == char, at + 2),
        plain => (plain == char, at + 1),
    };
    fits.then_some(to)
}

/// A star may also stand for nothing.
fn spread(pattern: &[char], places: &mut [bool]) {
    for at in 0..pattern.len() {
        if places[at] && pattern[at] == '*' {
            places[at + 1] = true;
            // `**/x` also means `x`.
            if is_deep(pattern, at) && pattern.get(at + 1) == Some(&'/') && begins_part(pattern, at)
            {
                places[at + 2] = true;
            }
        }
    }
}

/// Whether the star is one of two.
fn is_deep(pattern: &[char], at: usize) -> bool {
    pattern.get(at + 1) == Some(&'*') || (at > 0 && pattern[at - 1] == '*')
}

fn begins_part(pattern: &[char], star: usize) -> bool {
    star < 2 || pattern[star - 2] == '/'
}

/// Whether a character is in the class that a pattern begins with, and how long that is.
fn class(pattern: &[char], char: char) -> Option<(bool, usize)> {
    let negated = matches!(pattern.get(1), Some('!' | '^'));
    let begin = 1 + usize::from(negated);
    let length = pattern[begin..].iter().skip(1).position(|c| *c == ']')? + begin + 1;
    let inside = &pattern[begin..length];
    let mut at = 0;
    let mut found = false;
    while at < inside.len() {
        if at + 2 < inside.len() && inside[at + 1] == '-' {
            found |= (inside[at]..=inside[at + 2]).contains(&char);
            at += 3;
        } else {
            found |= inside[at] == char;
            at += 1;
        }
    }
    Some((found != negated && char != '/', length + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_as_in_the_shell() {
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
            ("v?.[0-9]", "v1.7", true),
            ("v?.[!0-9]", "v1.7", false),
            ("[]]", "]", true),
            ("[", "[", true),
            (r"\*", "*", true),
            (r"\*", "x", false),
            ("", "", true),
            ("*", "", true),
            ("a*b*c", "a12b34c", true),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
        assert!(!matches(&"*a".repeat(2000), &"a".repeat(1999)));
    }
}
