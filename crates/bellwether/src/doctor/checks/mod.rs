//! The checks: one file each, one `mod` line below.
//!
//! A file says what its check is about (`ABOUT`) and what it finds (`run`): at least one finding,
//! a good one when there is nothing to say. The list gives the order in which they are shown; a test
//! compares it with the docs.

use super::{Finding, Setup};

/// One check, as its file describes it.
pub(crate) struct Check {
    /// Its name: that of its file.
    pub name: &'static str,
    /// What it makes sure of, in a few words.
    pub about: &'static str,
    /// Looks, and changes nothing.
    pub run: fn(&Setup<'_>) -> Vec<Finding>,
}

macro_rules! checks {
    ($($name:ident),* $(,)?) => {
        /// Every check, in the order in which they are shown.
        pub(crate) const ALL: &[Check] = &[$(Check {
            name: stringify!($name),
            about: $name::ABOUT,
            run: $name::run,
        }),*];
    };
}

mod client;
mod binary;
mod linked;
mod settings;
mod plugins;
mod copies;
mod conflicts;
mod own_plugin;
mod registration;
mod versions;
mod twice;
mod project;
mod config;
mod trust;
mod guard;
mod gate;
mod managed;
mod format;
mod sound;
mod voice;
mod home;
mod overlay;
mod daemon;
mod journal;
mod troubles;
mod cost;

bellwether_listed::modules!(checks, "src/doctor/checks/mod.rs");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_docs_list_every_check() {
        let docs = include_str!("../../../../../docs/architecture.md");
        for check in ALL {
            let row = format!("| `{}` | {} |", check.name, check.about);
            assert!(docs.contains(&row), "docs/architecture.md lacks: {row}");
        }
    }
}
