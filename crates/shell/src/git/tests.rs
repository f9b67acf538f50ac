//! The readings as a table: words, and what they do.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::{GitCall, Reading, Run, Started, read};
use crate::text::{Fill, Piece, Text};
use crate::world::{Entry, Unreadable, World};

/// A machine with a repository in `/w` that has a few files and aliases.
struct Disk;

impl World for Disk {
    fn is_late(&self) -> bool {
        false
    }

    fn variable(&self, name: &str) -> Option<String> {
        (name == "SET").then(|| "reset --hard".to_owned())
    }
    fn home_of(&self, _: &str) -> Option<PathBuf> {
        None
    }
    fn look(&self, path: &Path) -> Entry {
        match path.to_str().unwrap_or_default() {
            "/w/.git" | "/w/src" | "/w/hooks" | "/w/empty" => Entry::Folder,
            "/w/a.rs" | "/w/b.rs" | "/w/.gitmodules" => Entry::File,
            _ => Entry::Missing,
        }
    }
    fn real(&self, _: &Path) -> Option<PathBuf> {
        None
    }
    fn names(&self, folder: &Path) -> Vec<String> {
        let hooks = folder.ends_with("hooks");
        hooks.then(|| "pre-commit".to_owned()).into_iter().collect()
    }
    fn read(&self, path: &Path) -> Result<String, Unreadable> {
        if path == Path::new("/w/.gitmodules") {
            Ok("[submodule \"x\"]\n\tpath = lib/x\n\turl = ../x\n".to_owned())
        } else {
            Err(Unreadable::Missing)
        }
    }
    fn git_alias(&self, _: &Path, name: &str) -> Option<String> {
        let aliases = HashMap::from([
            ("wipe", "reset --hard"),
            ("boom", "!rm -rf /"),
            ("again", "wipe -q"),
            ("loop", "loop"),
            ("quoted", "commit -m 'a \"b' --no-verify"),
            ("push", "push --force"),
        ]);
        aliases.get(name).map(|alias| (*alias).to_owned())
    }
}

/// The words of a row: separated by blanks, `'…'` keeps them together, `$X` is a hole, `*` a pattern.
fn words(line: &str) -> Vec<Text> {
    super::split::words(line)
        .into_iter()
        .map(|word| {
            let word = word.known().unwrap_or_default().to_owned();
            if let Some((before, hole)) = word.split_once('$') {
                let mut text = Text::plain(before);
                let name: String = hole.chars().take_while(char::is_ascii_uppercase).collect();
                text.append(Text::hole(format!("${name}"), Fill::Anything));
                text.push_plain(&hole[name.len()..]);
                return text;
            }
            match word.split_once('*') {
                Some((before, behind)) if !word.contains(':') => {
                    let mut text = Text::plain(before);
                    text.push(Piece::Pattern("*".to_owned()));
                    text.push_plain(behind);
                    text
                }
                _ => Text::plain(word),
            }
        })
        .collect()
}

/// A row is `NAME=value … words`, as after `env`.
fn reading(line: &str, folder: Option<&Path>) -> Reading {
    let mut words = words(line);
    let mut environment = Vec::new();
    while let Some((name, value)) = words.first().and_then(|word| word.split_once('=')) {
        if name.is_empty()
            || !name
                .chars()
                .all(|one| one.is_ascii_uppercase() || one.is_ascii_digit() || one == '_')
        {
            break;
        }
        environment.push((name.to_owned(), value));
        words.remove(0);
    }
    read(&GitCall {
        words: &words,
        environment: &environment,
        folder,
        world: &Disk,
    })
}

fn shown_run(run: &Run) -> String {
    let place = match &run.folder {
        Some(folder) if folder == Path::new("/w") => String::new(),
        Some(folder) => format!(" in {}", folder.display()),
        None => " somewhere".to_owned(),
    };
    let list = |words: &[Text]| words.iter().map(Text::shown).collect::<Vec<_>>().join(" ");
    match &run.ran {
        Started::Script { text, arguments } if arguments.is_empty() => {
            format!("run `{}`{place}", text.shown())
        }
        Started::Script { text, arguments } => {
            format!("run `{}` with {}{place}", text.shown(), list(arguments))
        }
        Started::Words(words) => format!("run {}{place}", list(words)),
    }
}

fn shown(line: &str) -> String {
    let reading = reading(line, Some(Path::new("/w")));
    let effects = reading.effects.iter().map(|effect| {
        let place = match &effect.site {
            None => " somewhere".to_owned(),
            Some(site) => {
                let mut place = String::new();
                if site.folder != Path::new("/w") {
                    place = format!(" in {}", site.folder.display());
                }
                for (name, path) in [("repository", &site.git_dir), ("tree", &site.work_tree)] {
                    if let Some(path) = path {
                        place = format!("{place} {name} {}", path.display());
                    }
                }
                place
            }
        };
        format!("{}{place}", effect.act)
    });
    let all: Vec<String> = effects.chain(reading.runs.iter().map(shown_run)).collect();
    all.join("; ")
}

#[test]
fn every_row_of_the_git_table_is_read_as_expected() {
    let (mut count, mut wrong) = (0, Vec::new());
    for (line, expected) in crate::tests::rows(include_str!("../../tables/git.tsv")) {
        count += 1;
        let got = shown(&line);
        if got != expected {
            wrong.push(format!("{line}\n  expected {expected}\n  got      {got}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 313, "only {count} rows");
}

#[test]
fn without_a_folder_the_repository_is_unknown() {
    let reading = reading("reset --hard", None);
    assert_eq!(reading.effects.len(), 1);
    assert_eq!(reading.effects[0].site, None);
}

proptest::proptest! {
    #[test]
    fn no_words_break_it(line in "[-a-zA-Z:+=$!/ .'\"]{0,40}", name in "push|reset|clean|checkout|config|branch|-c alias.x=") {
        shown(&format!("{name} {line}"));
    }
}
