//! The git rules against real repositories in every state that matters.

use std::path::{Path, PathBuf};

use bellwether_shell::git::{GitCall, read};
use bellwether_shell::text::Fill;
use bellwether_shell::{Act, Effect, Entry, Text, Unreadable, World};

use super::repository::sandbox::Sandbox;
use super::rules;
use super::scene::{Mode, Scene};
use super::verdict::Verdict;

struct Disk;

impl World for Disk {
    fn variable(&self, _: &str) -> Option<String> {
        None
    }
    fn home_of(&self, _: &str) -> Option<PathBuf> {
        None
    }
    fn look(&self, path: &Path) -> Entry {
        match path.symlink_metadata() {
            Ok(found) if found.is_dir() => Entry::Folder,
            Ok(_) => Entry::File,
            Err(_) => Entry::Missing,
        }
    }
    fn real(&self, _: &Path) -> Option<PathBuf> {
        None
    }
    fn names(&self, _: &Path) -> Vec<String> {
        Vec::new()
    }
    fn read(&self, _: &Path) -> Result<String, Unreadable> {
        Err(Unreadable::Missing)
    }
    fn git_alias(&self, _: &Path, _: &str) -> Option<String> {
        None
    }
    fn is_late(&self) -> bool {
        false
    }
}

/// What the rules say about a git command, the strictest first, with their reasons.
fn said(sandbox: &Sandbox, mode: Mode, line: &str) -> (Verdict, String) {
    let words: Vec<Text> = line
        .split(' ')
        .map(|word| match word.strip_prefix('$') {
            Some(_) => Text::hole(word, Fill::Anything),
            None => Text::plain(word),
        })
        .collect();
    let folder = sandbox.path();
    let reading = read(&GitCall {
        words: &words,
        environment: &[],
        folder: Some(&folder),
        world: &Disk,
    });
    let scene = Scene {
        mode,
        project: None,
        home: None,
        protected_branches: &[
            "main".to_owned(),
            "master".to_owned(),
            "release/*".to_owned(),
        ],
        world: &Disk,
        repository: &sandbox.repository(),
        own: false,
    };
    let acts = reading.effects.into_iter().map(|effect| Act {
        files: Vec::new(),
        sure: true,
        effect: Effect::Git(effect),
        command: line.to_owned(),
        via: Vec::new(),
    });
    acts.flat_map(|act| {
        let hits = rules::ALL
            .iter()
            .filter_map(|rule| rule.judge(&act, &scene));
        hits.map(|hit| (hit.verdict, hit.reason))
            .collect::<Vec<_>>()
    })
    .max_by_key(|(verdict, _)| *verdict)
    .unwrap_or_default()
}

#[test]
fn the_rules_say_what_the_table_says() {
    let mut sandbox = Sandbox::empty();
    let mut modes: &[Mode] = &[];
    let mut count = 0;
    let rows = include_str!("../../tables/git.tsv").lines();
    for row in rows.filter(|row| !row.is_empty() && !row.starts_with('#')) {
        match row.split('\t').collect::<Vec<_>>()[..] {
            ["repository", state, mode] => {
                sandbox = match state {
                    "empty" => Sandbox::empty(),
                    _ => Sandbox::clean(),
                };
                modes = match mode {
                    "loss" => &[Mode::Loss],
                    "strict" => &[Mode::Strict],
                    _ => &[Mode::Loss, Mode::Strict],
                };
            }
            ["write", name, text] => drop(sandbox.write(name, text)),
            ["git", words] => sandbox.git(words),
            ["commit", message] => sandbox.commit(message),
            [verdict, line, ref end @ ..] => {
                for mode in modes {
                    count += 1;
                    let (said, reason) = said(&sandbox, *mode, line);
                    let shown = format!("{said:?}").to_lowercase();
                    assert_eq!(shown, verdict, "git {line}: {reason}");
                    assert!(end.iter().all(|end| reason.ends_with(end)), "{reason}");
                }
            }
            _ => panic!("{row}"),
        }
    }
    assert!(count >= 175, "only {count} rows");
}

#[test]
fn names_of_files_do_not_steer_the_reader() {
    let sandbox = Sandbox::clean();
    sandbox.write("x\u{1b}[2J.txt", "x");
    sandbox.git("add -A");
    let (verdict, reason) = said(&sandbox, Mode::Loss, "reset --hard");
    assert_eq!(verdict, Verdict::Deny);
    assert!(!reason.contains('\u{1b}'));
}
