//! [Prettier](https://prettier.io). What it is told to ignore comes back as it was.

use std::path::Path;

use super::{Call, NODE, Way};
use crate::format::package;
use crate::format::target::Target;

pub(super) const ENDINGS: &[&str] = &[
    "js",
    "jsx",
    "mjs",
    "cjs",
    "ts",
    "tsx",
    "mts",
    "cts",
    "css",
    "scss",
    "less",
    "html",
    "htm",
    "vue",
    "svelte",
    "astro",
    "json",
    "jsonc",
    "json5",
    "yaml",
    "yml",
    "md",
    "mdx",
    "markdown",
    "graphql",
    "gql",
    "hbs",
    "handlebars",
];
pub(super) const USED: &str =
    "a `.prettierrc` or `prettier.config.*` file, or `prettier` in `package.json`";
pub(super) const WAY: Way = Way::Stream;
pub(super) const PROGRAMS: &[&str] = &["prettier"];
pub(super) const LOCAL: &[&str] = &[NODE];

const SETTINGS: &[&str] = &[
    ".prettierrc",
    ".prettierrc.json",
    ".prettierrc.yml",
    ".prettierrc.yaml",
    ".prettierrc.json5",
    ".prettierrc.toml",
    ".prettierrc.js",
    ".prettierrc.cjs",
    ".prettierrc.mjs",
    ".prettierrc.ts",
    ".prettierrc.cts",
    ".prettierrc.mts",
    "prettier.config.js",
    "prettier.config.cjs",
    "prettier.config.mjs",
    "prettier.config.ts",
    "prettier.config.cts",
    "prettier.config.mts",
];

pub(super) fn is_used(target: &Target) -> bool {
    target.nearest(SETTINGS).is_some()
        || package::needs(target, &["prettier"])
        || package::sets_prettier(target)
}

/// It looks for its list of ignored files in the folder that it is started in, and nowhere above.
pub(super) fn call(target: &Target, _: &Path) -> Call {
    let ignored = target.nearest(&[".prettierignore"]);
    let folder = ignored.as_deref().and_then(Path::parent);
    Call::new(folder.unwrap_or(target.root()), &["--stdin-filepath"]).with(target.file())
}
