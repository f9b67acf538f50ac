//! What the command of a hook starts, as far as one can know without a shell.
//!
//! Words of the first simple command, quotes taken off, with the few variables that are known here.
//! A word that only a shell could know is kept as unknown, and nothing is said about it.

use std::path::Path;

/// Programs that run a script given by path.
const INTERPRETERS: &[&str] = &[
    "sh", "bash", "dash", "zsh", "python", "node", "ruby", "perl",
];
/// Words that stand before a command and leave it what it is.
const BEFORE: &[&str] = &[
    "!", "{", "command", "do", "else", "env", "exec", "if", "nohup", "setsid", "then", "time",
    "while",
];

/// The words of a command; `None` for one that only a shell could know.
#[derive(Debug, PartialEq, Eq)]
pub struct CommandLine(Vec<Option<String>>);

impl CommandLine {
    /// A program with its arguments, started without a shell.
    pub fn of_exec_form<'a>(
        program: &str,
        arguments: impl Iterator<Item = Option<&'a str>>,
        project: &Path,
    ) -> Self {
        let program = program.replace("${CLAUDE_PROJECT_DIR}", &project.to_string_lossy());
        let arguments = arguments.map(|word| word.map(str::to_owned));
        Self([Some(program)].into_iter().chain(arguments).collect())
    }

    /// The first command of a line for a shell.
    pub fn of_shell(command: &str, project: &Path) -> Self {
        let words = split(command, |name| known(name, project))
            .into_iter()
            .next();
        Self::behind(words.unwrap_or_default(), |word| word == "exec")
    }

    /// Every command of a line for a shell that is a command of its own, not one in quotes or in a comment.
    pub fn every_of_shell(command: &str, project: &Path) -> Vec<Self> {
        let commands = split(command, |name| known(name, project)).into_iter();
        commands
            .map(|words| Self::behind(words, |word| BEFORE.contains(&word)))
            .collect()
    }

    /// The words from the first on that is neither an assignment nor one of those.
    fn behind(mut words: Vec<Option<String>>, passed: impl Fn(&str) -> bool) -> Self {
        let before = |word: &Option<String>| {
            let assignment =
                |word: &str| word.split_once('=').is_some_and(|(name, _)| is_name(name));
            word.as_deref()
                .is_some_and(|word| passed(word) || assignment(word))
        };
        let first = words.iter().position(|word| !before(word));
        Self(words.split_off(first.unwrap_or(words.len())))
    }

    /// Its words; `None` for one that only a shell could know.
    pub fn words(&self) -> impl Iterator<Item = Option<&str>> {
        self.0.iter().map(Option::as_deref)
    }

    /// The program, as a path or a name.
    pub fn program(&self) -> Option<&str> {
        self.0.first()?.as_deref()
    }

    /// The script that an interpreter is given, as a path.
    pub fn script(&self) -> Option<&str> {
        let program = file_name(self.program()?)?;
        let plain = program.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.');
        INTERPRETERS.contains(&plain).then_some(())?;
        let script = self.0.get(1)?.as_deref()?;
        script.starts_with('/').then_some(script)
    }

    /// The word behind an option.
    pub fn value_of(&self, option: &str) -> Option<&str> {
        let at = self
            .0
            .iter()
            .position(|word| word.as_deref() == Some(option))?;
        self.0.get(at + 1)?.as_deref()
    }

    /// The file name of what is run: the script's, when an interpreter runs one.
    pub fn name(&self) -> Option<&str> {
        file_name(self.script().or_else(|| self.program())?)
    }
}

/// The variables that are known without a shell.
fn known(name: &str, project: &Path) -> Option<String> {
    match name {
        "HOME" => Some(std::env::home_dir()?.to_string_lossy().into_owned()),
        "CLAUDE_PROJECT_DIR" => Some(project.to_string_lossy().into_owned()),
        _ => None,
    }
}

fn file_name(path: &str) -> Option<&str> {
    Path::new(path).file_name()?.to_str()
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars
        .next()
        .is_some_and(|char| char.is_ascii_alphabetic() || char == '_')
        && chars.all(|char| char.is_ascii_alphanumeric() || char == '_')
}

/// The word that is being read.
#[derive(Default)]
struct Word {
    text: String,
    begun: bool,
    unknown: bool,
}

impl Word {
    fn push(&mut self, char: char) {
        self.text.push(char);
        self.begun = true;
    }

    fn end(&mut self, words: Option<&mut Vec<Option<String>>>) {
        let word = std::mem::take(self);
        if let Some(words) = words.filter(|_| word.begun) {
            words.push((!word.unknown).then_some(word.text));
        }
    }
}

/// The words of each simple command, without what is only a comment or where something is written to.
fn split(command: &str, variable: impl Fn(&str) -> Option<String>) -> Vec<Vec<Option<String>>> {
    let mut commands = vec![Vec::new()];
    let mut word = Word::default();
    let mut quote = None;
    let mut rest = command;
    while let Some(char) = rest.chars().next() {
        rest = &rest[char.len_utf8()..];
        let words = commands.last_mut();
        match (char, quote) {
            ('\'' | '"', None) => (quote, word.begun) = (Some(char), true),
            (char, Some(open)) if char == open => quote = None,
            (char, Some('\'')) => word.push(char),
            ('\\', _) => {
                let next = rest.chars().next().unwrap_or_default();
                rest = &rest[next.len_utf8().min(rest.len())..];
                word.push(next);
            }
            ('$', _) => rest = expand(rest, &mut word, &variable),
            ('`', _) | ('*' | '?' | '[', None) => {
                word.push(char);
                word.unknown = true;
            }
            ('~', None) if !word.begun && (rest.is_empty() || rest.starts_with('/')) => {
                push_value(&mut word, variable("HOME"));
            }
            ('#', None) if !word.begun => rest = &rest[rest.find('\n').unwrap_or(rest.len())..],
            (' ' | '\t', None) => word.end(words),
            ('<' | '>', None) => {
                word.end(words);
                rest = behind_redirection(rest);
            }
            (';' | '|' | '&' | '(' | ')' | '\n', None) => {
                word.end(words);
                commands.push(Vec::new());
            }
            (char, _) => word.push(char),
        }
    }
    word.end(commands.last_mut());
    commands.retain(|words| !words.is_empty());
    commands
}

/// What follows the file that something is written to or read from.
fn behind_redirection(rest: &str) -> &str {
    let target = rest
        .trim_start_matches(['<', '>', '&', '|'])
        .trim_start_matches([' ', '\t']);
    let end = target.find([' ', '\t', ';', '|', '&', '(', ')', '<', '>', '\n']);
    &target[end.unwrap_or(target.len())..]
}

/// Puts in what stands behind a `$`, and returns the rest.
fn expand<'a>(
    rest: &'a str,
    word: &mut Word,
    variable: &impl Fn(&str) -> Option<String>,
) -> &'a str {
    let in_name = |char: char| char.is_ascii_alphanumeric() || char == '_';
    let (name, after) = if let Some(inner) = rest.strip_prefix('{') {
        inner.split_once('}').unwrap_or((inner, ""))
    } else {
        rest.split_at(rest.find(|char| !in_name(char)).unwrap_or(rest.len()))
    };
    push_value(word, variable(name));
    after
}

fn push_value(word: &mut Word, value: Option<String>) {
    word.begun = true;
    match value {
        Some(value) => word.text.push_str(&value),
        None => word.unknown = true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(command: &str) -> Vec<Option<String>> {
        let commands = split(command, |name| {
            (name == "HOME").then(|| "/home/dev".to_owned())
        });
        commands.into_iter().next().unwrap_or_default()
    }

    #[test]
    fn words_are_split_as_a_shell_would() {
        for (command, expected) in [
            ("/a/b --c d", vec![Some("/a/b"), Some("--c"), Some("d")]),
            ("'/a b'/c \"d e\"", vec![Some("/a b/c"), Some("d e")]),
            (
                "~/x \"$HOME\"/y ${HOME}/z",
                vec![
                    Some("/home/dev/x"),
                    Some("/home/dev/y"),
                    Some("/home/dev/z"),
                ],
            ),
            ("$OTHER/x y", vec![None, Some("y")]),
            ("a\\ b 'c$HOME'", vec![Some("a b"), Some("c$HOME")]),
            ("run; other", vec![Some("run")]),
            ("a `b` *.c", vec![Some("a"), None, None]),
            ("a ''", vec![Some("a"), Some("")]),
            ("", vec![]),
            ("a \\", vec![Some("a"), Some("\0")]),
            ("${HOME", vec![Some("/home/dev")]),
        ] {
            let expected: Vec<_> = expected
                .into_iter()
                .map(|word| word.map(str::to_owned))
                .collect();
            assert_eq!(known(command), expected, "{command}");
        }
    }

    #[test]
    fn what_is_started_is_found_behind_assignments_and_interpreters() {
        let line = |command| CommandLine::of_shell(command, Path::new("/p"));
        for (command, name) in [
            (
                "A=1 exec /opt/bellwether-hook --client 2.1.325",
                "bellwether-hook",
            ),
            ("python3.11 /x/record.py a", "record.py"),
            ("python3 -c 'print(1)'", "python3"),
            ("bash $CLAUDE_PROJECT_DIR/hook.sh", "hook.sh"),
        ] {
            assert_eq!(line(command).name(), Some(name), "{command}");
        }
        assert_eq!(
            line("\"/opt/my tools/bellwether-hook\"").name(),
            Some("bellwether-hook")
        );
        assert_eq!(
            line("bash $CLAUDE_PROJECT_DIR/hook.sh").script(),
            Some("/p/hook.sh")
        );
        assert_eq!(
            line("x --client 2.1.300").value_of("--client"),
            Some("2.1.300")
        );
    }

    #[test]
    fn exec_form_expands_the_project_and_nothing_else() {
        let arguments = [Some("$HOME"), None].into_iter();
        let program = "${CLAUDE_PROJECT_DIR}/$HOME/x y";
        let line = CommandLine::of_exec_form(program, arguments, Path::new("/p"));
        let expected = [
            Some("/p/$HOME/x y".to_owned()),
            Some("$HOME".to_owned()),
            None,
        ];
        assert_eq!(line.0, expected);
    }
    #[test]
    fn every_command_of_a_line_is_found() {
        for (command, expected) in [
            ("a b; c && d | e", vec!["a", "c", "d", "e"]),
            (
                "python3 --version >/dev/null 2>&1 && python3 /x.py || exit",
                vec!["python3", "python3", "exit"],
            ),
            ("if true; then say hello; fi", vec!["true", "say", "fi"]),
            ("(afplay x.aiff &)", vec!["afplay"]),
            ("nohup A=1 paplay x >/dev/null &", vec!["paplay"]),
            ("echo 'say hello; say bye' # say it", vec!["echo"]),
            ("# say\necho a#b", vec!["echo"]),
            ("", vec![]),
        ] {
            let lines = CommandLine::every_of_shell(command, Path::new("/p"));
            let programs: Vec<_> = lines.iter().filter_map(CommandLine::program).collect();
            assert_eq!(programs, expected, "{command}");
        }
    }
}
