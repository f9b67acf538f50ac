//! Which commands are worth parsing: most are not, and cost nothing.
//!
//! A command is passed over only when nothing in it could matter: no program that does anything, no
//! expansion that could become one, no file that is written or run. Quotes are taken away first, so that
//! `r'm'` is still `rm`.

use crate::commands;
use crate::lookup;
use crate::run;

/// Whether a command has to be parsed.
pub fn is_interesting(command: &str) -> bool {
    // A line that goes on on the next one may be cut anywhere, and `!(…)` is a pattern.
    if command.bytes().any(is_dynamic) || command.contains("\\\n") || has_group(command) {
        return true;
    }
    let mut word = String::new();
    // Whether the next word names a program.
    let mut first = true;
    for character in command.chars().chain([';']) {
        match character {
            '\'' | '"' | '\\' => {}
            ' ' | '\t' | '\r' | ';' | '&' | '|' | '(' | ')' | '\n' | '!' => {
                if !word.is_empty() {
                    if matters(&word, first) {
                        return true;
                    }
                    first = word.contains('=') && first;
                    word.clear();
                }
                first |= matches!(character, ';' | '&' | '|' | '(' | '\n' | '!');
            }
            other => word.push(other),
        }
    }
    false
}

/// Whether there is a pattern with alternatives: `!(a|b)`, `+(x)`.
fn has_group(command: &str) -> bool {
    let pairs = command.as_bytes().windows(2);
    pairs
        .into_iter()
        .any(|pair| b"!+@".contains(&pair[0]) && pair[1] == b'(')
}

/// What can become anything, or writes a file.
fn is_dynamic(byte: u8) -> bool {
    matches!(byte, b'$' | b'`' | b'>' | b'<' | b'{' | b'~')
}

/// Whether a word is a program that matters, or one that is run by its path. A program may stand
/// anywhere: behind a wrapper, behind `then`.
fn matters(word: &str, first: bool) -> bool {
    if first && (word.contains('/') || word.contains(['*', '?', '['])) {
        return true;
    }
    let name = word.rsplit('/').next().unwrap_or(word);
    let name = name.strip_prefix('=').unwrap_or(name);
    lookup::is_known(name) || run::is_builtin(name) || commands::own::SAID.contains(&name)
}

/// Whether some word of a text is a program that deletes or writes over disks.
pub(crate) fn names_a_destroyer(text: &str) -> bool {
    let mut words =
        text.split(|character: char| !(character.is_alphanumeric() || "._-".contains(character)));
    words.any(|word| {
        let mut rows = commands::delete::PROGRAMS
            .iter()
            .chain(commands::device::PROGRAMS);
        word == "dd" || rows.any(|row| row.is(word))
    })
}
