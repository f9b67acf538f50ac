//! The checks: one file each, one word in the list below.
//!
//! A file says what its check is about (`ABOUT`) and what it finds (`run`): at least one finding,
//! a good one when there is nothing to say. The list gives the order in which they are shown; tests
//! compare it with the folder and with the docs.

use super::{Context, Finding};

/// One check, as its file describes it.
pub(crate) struct Check {
    /// Its name: that of its file.
    pub name: &'static str,
    /// What it makes sure of, in a few words.
    pub about: &'static str,
    /// Looks, and changes nothing.
    pub run: fn(&Context<'_>) -> Vec<Finding>,
}

macro_rules! checks {
    ($($name:ident),* $(,)?) => {
        $(mod $name;)*

        /// Every check, in the order in which they are shown.
        pub(crate) const ALL: &[Check] = &[$(Check {
            name: stringify!($name),
            about: $name::ABOUT,
            run: $name::run,
        }),*];
    };
}

checks![
    client,
    binary,
    linked,
    settings,
    registration,
    twice,
    project,
    config,
    trust,
    guard,
    sound,
    voice,
    home,
    daemon,
    journal,
    troubles,
    cost,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_file_is_in_the_list() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doctor/checks");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
            .filter(|name| name != "mod")
            .collect();
        let listed: BTreeSet<String> = ALL.iter().map(|check| check.name.to_owned()).collect();
        assert_eq!(files, listed);
        assert_eq!(listed.len(), ALL.len(), "a check is listed twice");
    }

    #[test]
    fn the_docs_list_every_check() {
        let docs = include_str!("../../../../../docs/architecture.md");
        for check in ALL {
            let row = format!("| `{}` | {} |", check.name, check.about);
            assert!(docs.contains(&row), "docs/architecture.md lacks: {row}");
        }
    }
}
