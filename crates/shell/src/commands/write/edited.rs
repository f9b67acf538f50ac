//! What `sed` makes of a text that is known.

/// The fewest lines of what is taken for code: cutting lines out of it, or changing words in it, leaves it what it is.
const CODE: usize = 5;

/// The text that a script of `sed` makes of another; `None` when that cannot be told.
pub(super) fn edited(script: &str, quiet: bool, text: &str) -> Option<String> {
    let mut text = text.to_owned();
    // Whether every command was worked out, and whether the others add nothing that could do harm.
    let (mut exact, mut harmless) = (true, true);
    for command in script.split([';', '\n']).map(str::trim) {
        if command.is_empty() {
            continue;
        }
        if let Some((from, to, all)) = replacement(command).filter(|_| !quiet) {
            text = if all {
                text.replace(from, to)
            } else {
                let lines = text.split_inclusive('\n');
                lines.map(|line| line.replacen(from, to, 1)).collect()
            };
        } else if let Some((first, last)) = printed(command).filter(|_| quiet) {
            let lines = text.split_inclusive('\n');
            let lines = lines.skip(first.saturating_sub(1));
            text = lines.take(last.saturating_sub(first) + 1).collect();
        } else {
            exact = false;
            harmless &= only_cuts(command);
        }
    }
    let is_code = text.lines().count() >= CODE;
    (exact || (harmless && is_code)).then_some(text)
}

/// Whether nothing of a text is left.
pub(super) fn clears(script: &str, quiet: bool) -> bool {
    const ALL: [&str; 12] = [
        "d",
        "1,$d",
        "0,$d",
        "/./d",
        "/.*/d",
        "/^/d",
        "/$/d",
        "s/.*//",
        "s/.*//g",
        "s/^.*$//",
        "s/^.*$//g",
        "s/.*$//",
    ];
    let plain: String = script.chars().filter(|char| *char != ' ').collect();
    let mut commands = plain.split([';', '\n']);
    (quiet && !plain.contains(['p', 'w', 'i', 'a', 'c'])) || commands.any(|one| ALL.contains(&one))
}

/// `s/plain/text/g`: from, to, and whether all of a line.
fn replacement(command: &str) -> Option<(&str, &str, bool)> {
    let rest = command.strip_prefix('s')?;
    let mark = rest.chars().next().filter(|mark| !mark.is_alphanumeric())?;
    let mut parts = rest[mark.len_utf8()..].split(mark);
    let (from, to, flags) = (parts.next()?, parts.next()?, parts.next()?);
    let plain = !from.is_empty()
        && !from.contains(['.', '[', ']', '*', '^', '$', '\\', '+', '?', '('])
        && !to.contains(['&', '\\']);
    let known = parts.next().is_none() && flags.chars().all(|flag| "g".contains(flag));
    (plain && known).then_some((from, to, flags == "g"))
}

/// `10,20p`: which lines.
fn printed(command: &str) -> Option<(usize, usize)> {
    let lines = command.strip_suffix('p')?;
    let (first, last) = lines.split_once(',').unwrap_or((lines, lines));
    let last = if last == "$" { "1000000" } else { last };
    Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
}

/// Whether a command adds nothing that could do harm: it cuts lines out, or puts words in that are none of a shell's.
fn only_cuts(command: &str) -> bool {
    if command.ends_with(['d', 'p', 'q']) && !command.starts_with('s') {
        return true;
    }
    let Some(rest) = command.strip_prefix('s') else {
        return false;
    };
    let Some(mark) = rest.chars().next() else {
        return false;
    };
    let to = rest.split(mark).nth(2).unwrap_or_default();
    let flags = rest.rsplit(mark).next().unwrap_or_default();
    !to.contains(['$', '`', '~', '/', '|', ';', '&', '>'])
        && !flags.contains(['e', 'w'])
        && !crate::interest::names_a_destroyer(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_plain_is_worked_out() {
        for (script, quiet, expected) in [
            ("s/a/x/", false, Some("xa\nb\nc\n")),
            ("s|a|x|g", false, Some("xx\nb\nc\n")),
            ("2,3p", true, Some("b\nc\n")),
            ("2p", true, Some("b\n")),
            ("2,$p", true, Some("b\nc\n")),
            ("s/.*/x/", false, None),
            ("1e rm", false, None),
            ("s/a/&b/", false, None),
        ] {
            assert_eq!(
                edited(script, quiet, "aa\nb\nc\n").as_deref(),
                expected,
                "{script}"
            );
        }
        for (script, quiet, expected) in [
            ("d", false, true),
            ("1,$ d", false, true),
            ("s/a/b/; /.*/d", false, true),
            ("", true, true),
            ("1d", false, false),
            ("$d", false, false),
            ("1,3p", true, false),
            ("/x/d", false, false),
        ] {
            assert_eq!(clears(script, quiet), expected, "{script}");
        }
        let code = "import os\na = 1\nb = 2\nprint(a)\nprint(b)\nprint(os)\n";
        assert_eq!(edited("/^import/d", false, code).as_deref(), Some(code));
        assert_eq!(edited("s/^a.*$/a = 3/", false, code).as_deref(), Some(code));
        assert_eq!(edited("s/^a.*$/rm -rf x/", false, code), None);
        assert_eq!(edited("s/^a.*$/x = `y`/", false, code), None);
        assert_eq!(edited("a something", false, code), None);
    }
}
