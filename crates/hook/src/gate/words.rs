//! Words of a command as paths that git takes: patterns become the names that the shell would make of them.

use std::path::{Path, PathBuf};

use bellwether_shell::text::Piece;
use bellwether_shell::{Text, matches};

use super::git::Stop;

/// The most names that patterns become.
const MOST: usize = 4096;

/// The paths that words stand for in a folder.
pub(super) fn paths(words: &[Text], folder: &Path) -> Result<Vec<String>, Stop> {
    let mut all = Vec::new();
    for word in words {
        all.extend(one(word, folder)?);
        if all.len() > MOST {
            return Err(Stop::Doubt("it names too many files".to_owned()));
        }
    }
    Ok(all)
}

/// One word that must be known.
pub(super) fn known(word: &Text) -> Result<&str, Stop> {
    word.known().ok_or_else(|| unknown(word))
}

fn unknown(word: &Text) -> Stop {
    let shown = bellwether_spine::text::shown(&word.shown(), 60);
    Stop::Doubt(format!("`{shown}` is known only when it runs"))
}

fn one(word: &Text, folder: &Path) -> Result<Vec<String>, Stop> {
    if let Some(known) = word.known() {
        return Ok(vec![known.to_owned()]);
    }
    let literal = word.literal().ok_or_else(|| unknown(word))?;
    let mut found = expanded(word, folder);
    if found.is_empty() {
        // As the shell hands on a pattern that nothing fits.
        found.push(literal.into_owned());
    }
    Ok(found)
}

/// The names that a pattern fits, as a shell finds them.
fn expanded(word: &Text, folder: &Path) -> Vec<String> {
    let pattern = pattern(word);
    let start = if pattern.starts_with('/') { "/" } else { "" };
    let mut found = vec![PathBuf::from(start)];
    for part in pattern.split('/').filter(|part| !part.is_empty()) {
        found = found
            .iter()
            .flat_map(|above| fitting(part, above, folder))
            .take(MOST)
            .collect();
    }
    found.sort();
    let names = found.into_iter();
    names
        .filter_map(|path| path.into_os_string().into_string().ok())
        .collect()
}

/// The word with everything escaped that is no pattern.
fn pattern(word: &Text) -> String {
    let mut pattern = String::new();
    for piece in word.pieces() {
        match piece {
            Piece::Plain(text) => {
                for character in text.chars() {
                    if "*?[]\\".contains(character) {
                        pattern.push('\\');
                    }
                    pattern.push(character);
                }
            }
            Piece::Pattern(text) => pattern.push_str(text),
            Piece::Hole(_) => {}
        }
    }
    pattern
}

fn fitting(part: &str, above: &Path, folder: &Path) -> Vec<PathBuf> {
    if !part.contains(['*', '?', '[', '\\']) {
        let path = above.join(part);
        let is_there = folder.join(&path).symlink_metadata().is_ok();
        return is_there.then_some(path).into_iter().collect();
    }
    let entries = std::fs::read_dir(folder.join(above)).into_iter().flatten();
    let names = entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok());
    // A shell passes over hidden names unless the pattern begins with a dot.
    let seen = names.filter(|name| !name.starts_with('.') || part.starts_with('.'));
    let fitting = seen.filter(|name| matches(part, name));
    fitting.map(|name| above.join(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glob(parts: &[&str]) -> Text {
        let mut text = Text::default();
        for part in parts {
            if part.contains('*') && !part.starts_with('\'') {
                text.push(Piece::Pattern((*part).to_owned()));
            } else {
                text.push_plain(part.trim_matches('\''));
            }
        }
        text
    }

    #[test]
    fn patterns_become_what_a_shell_makes_of_them() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "src/a.rs",
            "src/b.rs",
            "src/deep/c.rs",
            "lib/d.rs",
            ".hidden/e.rs",
            "x*.rs",
        ] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        for (parts, expected) in [
            (vec!["src/", "*", ".rs"], vec!["src/a.rs", "src/b.rs"]),
            (vec!["*"], vec!["lib", "src", "x*.rs"]),
            (
                vec!["*", "/", "*", ".rs"],
                vec!["lib/d.rs", "src/a.rs", "src/b.rs"],
            ),
            (vec!["'x*'", "*"], vec!["x*.rs"]),
            (vec!["nothing", "*"], vec!["nothing*"]),
            (vec!["'*.rs'"], vec!["*.rs"]),
        ] {
            let found = paths(&[glob(&parts)], folder.path()).unwrap();
            assert_eq!(found, expected, "{parts:?}");
        }
        let hole = Text::hole("$F", bellwether_shell::text::Fill::Anything);
        let stop = paths(&[hole], folder.path()).unwrap_err();
        assert_eq!(
            stop,
            Stop::Doubt("`$F` is known only when it runs".to_owned())
        );
    }
}
