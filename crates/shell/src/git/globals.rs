//! The options between `git` and its subcommand. They are not abbreviated.

use std::path::Path;

use super::call::{Git, Named};
use super::split;
use crate::text::{Fill, Text};

impl Git<'_> {
    /// Reads the global options; nothing when git only tells something about itself.
    pub(super) fn globals<'w>(&mut self, words: &'w [Text]) -> Option<&'w [Text]> {
        let mut rest = words;
        while let Some((word, behind)) = rest.split_first() {
            if !word.lead().starts_with('-') {
                break;
            }
            rest = behind;
            let (name, attached) = global(word);
            if !VALUED.contains(&name) {
                if ["--help", "-h", "--version", "-v"].contains(&name) {
                    return None;
                }
                continue;
            }
            let value = if let Some(value) = attached {
                value
            } else {
                let (value, behind) = rest.split_first()?;
                rest = behind;
                value.clone()
            };
            self.global(name, &value);
        }
        Some(rest)
    }

    fn global(&mut self, name: &str, value: &Text) {
        match name {
            "-C" if value.is_empty() => {}
            "-C" => {
                self.folder = match self.named(value) {
                    Named::At(path) => Some(path),
                    _ => None,
                }
            }
            "-c" => self.config.add(value),
            "--config-env" => {
                if let Some((key, variable)) = split::at(value, '=') {
                    let value = self.variable(&variable);
                    self.config.set(&key.shown(), value);
                }
            }
            "--git-dir" => self.repository = self.named(value),
            "--work-tree" => self.work_tree = self.named(value),
            _ => {}
        }
    }

    fn variable(&self, name: &Text) -> Text {
        let unknown = || Text::hole(format!("${}", name.shown()), Fill::Anything);
        let Some(known) = name.known() else {
            return unknown();
        };
        let given = self.environment.iter().rev().find(|(set, _)| set == known);
        match given {
            Some((_, value)) => value.clone(),
            None => self.world.variable(known).map_or_else(unknown, Text::from),
        }
    }

    /// The path that a word names, seen from the folder.
    pub(super) fn named(&self, path: &Text) -> Named {
        match (path.known().map(Path::new), &self.folder) {
            (Some(path), _) if path.is_absolute() => Named::At(path.to_owned()),
            (Some(path), Some(folder)) => Named::At(if path == Path::new(".") {
                folder.clone()
            } else {
                folder.join(path)
            }),
            _ => Named::Unknown,
        }
    }
}

/// Global options that take a value.
const VALUED: &[&str] = &[
    "-C",
    "-c",
    "--git-dir",
    "--work-tree",
    "--namespace",
    "--config-env",
    "--super-prefix",
    "--attr-source",
];

/// The name of a global option and the value attached to it.
fn global(word: &Text) -> (&str, Option<Text>) {
    let lead = word.lead();
    for short in ["-C", "-c"] {
        if !lead.starts_with("--")
            && let Some(value) = word.strip_prefix(short)
        {
            return (short, Some(value).filter(|value| !value.is_empty()));
        }
    }
    match word.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (lead, None),
    }
}
