//! The files that a pattern stands for, where one is run: `node --test tests/*.test.js`.

use std::path::{Path, PathBuf};

use super::Runner;
use crate::matching::matches;
use crate::target::Place;
use crate::text::{Piece, Text};
use crate::world::Entry;

/// The most files of one pattern that are read.
const MOST: usize = 16;
/// The most folders that are looked into for them.
const MOST_FOLDERS: usize = 64;

impl Runner<'_> {
    /// The scripts that a word names: itself, or the first of those that its pattern matches. A pattern that matches
    /// nothing names none.
    pub(crate) fn scripts(&mut self, word: &Text) -> Vec<Text> {
        let is_pattern = word
            .pieces()
            .iter()
            .any(|piece| matches!(piece, Piece::Pattern(_)));
        if !is_pattern || word.has_hole() {
            return vec![word.clone()];
        }
        let Place::Within {
            folder,
            pattern,
            deep,
        } = self.target(word).place
        else {
            return vec![word.clone()];
        };
        let mut parts: Vec<&str> = pattern.split('/').collect();
        if deep {
            parts.insert(0, "**");
        }
        let mut search = Search {
            found: Vec::new(),
            folders: 0,
        };
        search.within(self, &folder, &parts);
        let names = search.found.iter();
        names
            .map(|path| Text::plain(path.display().to_string()))
            .collect()
    }
}

struct Search {
    found: Vec<PathBuf>,
    folders: usize,
}

impl Search {
    fn within(&mut self, runner: &Runner<'_>, folder: &Path, parts: &[&str]) {
        self.folders += 1;
        let Some((part, rest)) = parts.split_first() else {
            return;
        };
        if self.found.len() >= MOST || self.folders > MOST_FOLDERS {
            return;
        }
        let mut names = runner.world.names(folder);
        names.sort();
        let any_depth = *part == "**";
        if any_depth {
            self.within(runner, folder, rest);
        }
        let hides = |name: &str| name.starts_with('.') && !part.starts_with('.');
        for name in names.iter().filter(|name| !hides(name)) {
            let path = folder.join(name);
            let entry = runner.world.look(&path);
            if any_depth && entry == Entry::Folder {
                self.within(runner, &path, parts);
            } else if !any_depth && matches(part, name) {
                match (rest.is_empty(), entry) {
                    (true, Entry::File | Entry::Link) if self.found.len() < MOST => {
                        self.found.push(path);
                    }
                    (false, Entry::Folder | Entry::Link) => self.within(runner, &path, rest),
                    _ => {}
                }
            }
        }
    }
}
