//! What the `package.json` of a project says it uses.

use serde_json::Value;

use super::target::{Target, read};

const NEEDED: [&str; 3] = ["dependencies", "devDependencies", "optionalDependencies"];

fn every(target: &Target) -> impl Iterator<Item = Value> {
    let texts = target
        .every(&["package.json"])
        .filter_map(|path| read(&path));
    texts.filter_map(|text| serde_json::from_str(&text).ok())
}

/// Whether one of them needs one of these packages.
pub(super) fn needs(target: &Target, names: &[&str]) -> bool {
    every(target).any(|package| {
        let has = |name: &&str| NEEDED.iter().any(|part| !package[part][*name].is_null());
        names.iter().any(has)
    })
}

/// Whether one of them has settings for prettier.
pub(super) fn sets_prettier(target: &Target) -> bool {
    every(target).any(|package| !package["prettier"].is_null())
}
