//! Which handlers are ours: those that run our hook and do nothing else.
//!
//! A line that runs our hook among other things is somebody's own work. It is never edited, but
//! whoever has both gets every event twice, so it is told apart.

use bellwether_spine::HOOK;

use super::json::Node;

/// The word that makes a hook wait.
pub(crate) const WAIT: &str = "--wait";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runs {
    /// Our hook: the entry is ours to change and to remove.
    Us,
    /// A line for the shell that names our hook among other things.
    UsAmongOthers,
    Other,
}

pub(super) fn runs(handler: &Node) -> Runs {
    let Some(command) = handler.get("command").and_then(Node::as_str) else {
        return Runs::Other;
    };
    match words(handler, command) {
        Some(words) if is_hook(&words) => Runs::Us,
        Some(words) if !words.iter().any(|word| word.contains(HOOK)) => Runs::Other,
        None if !command.contains(HOOK) => Runs::Other,
        _ => Runs::UsAmongOthers,
    }
}

/// Whether one of ours is the hook that speaks and waits for the end of that. It hears no event for us.
pub(super) fn waits(handler: &Node) -> bool {
    let command = handler.get("command").and_then(Node::as_str);
    let words = command.and_then(|command| words(handler, command));
    words.is_some_and(|words| words.iter().any(|word| word == WAIT))
}

/// The words that a handler runs, if it runs one command.
pub(super) fn words(handler: &Node, command: &str) -> Option<Vec<String>> {
    let Some(args) = handler.get("args") else {
        return simple_command(command);
    };
    let args = args.items().iter().filter_map(Node::as_str);
    let words = std::iter::once(command).chain(args);
    Some(words.map(str::to_owned).collect())
}

/// Our hook, or the same under its other name, `bellwether hook`.
fn is_hook(words: &[String]) -> bool {
    let mut words = words
        .iter()
        .map(String::as_str)
        .skip_while(|word| *word == "exec");
    match words.next().and_then(|program| program.rsplit('/').next()) {
        Some(HOOK) => true,
        Some("bellwether") => words.next() == Some("hook"),
        _ => false,
    }
}

/// The words of a line that is one command; `None` when the shell would run more than one, or
/// redirect. Variables and `~` stay as written: they change where the program is, not what it is.
fn simple_command(line: &str) -> Option<Vec<String>> {
    const OPERATORS: &str = "|&;<>()`\n";
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.trim().chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '\'' => break,
                        c => word.push(c),
                    }
                }
            }
            '"' => quoted(&mut chars, word.get_or_insert_default())?,
            '\\' => word.get_or_insert_default().push(chars.next()?),
            c if OPERATORS.contains(c) => return None,
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Some(words)
}

/// The rest of a word part in double quotes, if no command runs in it.
fn quoted(chars: &mut std::str::Chars<'_>, word: &mut String) -> Option<()> {
    loop {
        match chars.next()? {
            '"' => return Some(()),
            '`' => return None,
            '$' if chars.as_str().starts_with('(') => return None,
            '\\' => match chars.next()? {
                c @ ('"' | '\\' | '$' | '`') => word.push(c),
                c => word.extend(['\\', c]),
            },
            c => word.push(c),
        }
    }
}

/// A word as the shell reads it back.
pub(crate) fn shell_quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:,@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::json;
    use super::*;

    fn of(handler: &serde_json::Value) -> Runs {
        runs(&json::parse(&handler.to_string()).unwrap())
    }

    #[test]
    fn tells_ours_from_others() {
        for (command, expected) in [
            ("/usr/bin/bellwether-hook --from user", Runs::Us),
            ("bellwether-hook", Runs::Us),
            ("/b/bellwether-hook --client 1.0.38 --event Stop", Runs::Us),
            ("'/home/a b/bellwether-hook' --client 2.1.30", Runs::Us),
            (r"/home/a\ b/bellwether-hook", Runs::Us),
            ("exec \"/opt/bellwether-hook\"", Runs::Us),
            ("/opt/bellwether hook --from user", Runs::Us),
            ("/opt/bellwether status", Runs::Other),
            ("~/.local/bin/bellwether-hook", Runs::Us),
            ("\"$HOME/.local/bin/bellwether-hook\" --from user", Runs::Us),
            ("\"$(which bellwether-hook)\"", Runs::UsAmongOthers),
            (
                "\"$HOME\"/bin/bellwether-hook; play ding",
                Runs::UsAmongOthers,
            ),
            ("timeout 5 bellwether-hook", Runs::UsAmongOthers),
            ("X=1 bellwether-hook", Runs::UsAmongOthers),
            ("'/x/bellwether-hook' ; exec sleep 60", Runs::UsAmongOthers),
            ("prettier --write", Runs::Other),
            ("'unclosed", Runs::Other),
            ("", Runs::Other),
        ] {
            assert_eq!(of(&json!({"command": command})), expected, "{command}");
        }
        let exec = json!({"command": "/a b/bellwether-hook", "args": []});
        assert_eq!(of(&exec), Runs::Us);
        let exec = json!({"command": "/bin/sh", "args": ["-c", "bellwether-hook; true"]});
        assert_eq!(of(&exec), Runs::UsAmongOthers);
        assert_eq!(of(&json!({"url": "http://bellwether-hook"})), Runs::Other);
    }

    proptest! {
        #[test]
        fn what_is_quoted_is_read_back(words in prop::collection::vec("[ -~ä\n]{0,8}", 1..4)) {
            let line = words.iter().map(|word| shell_quoted(word)).collect::<Vec<_>>().join(" ");
            prop_assert_eq!(simple_command(&line), Some(words));
        }
    }
}
