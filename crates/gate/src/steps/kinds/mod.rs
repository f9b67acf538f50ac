//! The kinds of checks that are found in a project: one file each, one `mod` line below.
//!
//! A file says what makes it apply (`MANIFESTS`; nothing means that it looks for itself), what it is about (`ABOUT`) and
//! which checks there are in a folder (`find`). A check whose tool is not installed is one that is missing, not none.

use super::{Found, Place};

/// One kind, as its file describes it.
#[derive(Debug)]
pub(crate) struct Kind {
    /// Its name: that of its file.
    pub(crate) name: &'static str,
    /// What it runs, in a few words.
    pub(crate) about: &'static str,
    pub(crate) manifests: &'static [&'static str],
    pub(crate) find: fn(Place<'_>) -> Vec<Found>,
}

macro_rules! kinds {
    ($($name:ident),* $(,)?) => {
        /// Every kind, in the order in which their checks are started.
        pub(crate) const ALL: &[Kind] = &[$(Kind {
            name: stringify!($name),
            about: $name::ABOUT,
            manifests: $name::MANIFESTS,
            find: $name::find,
        }),*];
    };
}

mod rust;
mod node;
mod go;
mod python;
mod markdown;

bellwether_listed::modules!(kinds, "src/steps/kinds/mod.rs");

#[cfg(test)]
mod tests;
