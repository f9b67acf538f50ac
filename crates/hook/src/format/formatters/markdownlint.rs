//! markdownlint, by either of its command lines. Both mend a file and then complain about what they cannot mend.

use std::ffi::OsString;
use std::path::Path;

use super::{Call, NODE, Way};
use crate::format::package;
use crate::format::target::Target;

pub(super) const ENDINGS: &[&str] = &["md", "markdown"];
pub(super) const USED: &str = "a `.markdownlint.*`, `.markdownlintrc` or `.markdownlint-cli2.*` file, or `markdownlint-cli` or `markdownlint-cli2` in `package.json`";
/// It has no way to read a text and say the new one.
pub(super) const WAY: Way = Way::InPlace;
pub(super) const PROGRAMS: &[&str] = &["markdownlint", SECOND];
pub(super) const LOCAL: &[&str] = &[NODE];

const SECOND: &str = "markdownlint-cli2";
const SETTINGS: &[&str] = &[
    ".markdownlint.jsonc",
    ".markdownlint.json",
    ".markdownlint.yaml",
    ".markdownlint.yml",
    ".markdownlint.cjs",
    ".markdownlint.mjs",
    ".markdownlintrc",
    ".markdownlint-cli2.jsonc",
    ".markdownlint-cli2.yaml",
    ".markdownlint-cli2.cjs",
    ".markdownlint-cli2.mjs",
];

pub(super) fn is_used(target: &Target) -> bool {
    target.nearest(SETTINGS).is_some() || package::needs(target, &["markdownlint-cli", SECOND])
}

/// The first looks for its settings in the folder that it is started in. The second takes names for patterns, but for those
/// behind a colon.
pub(super) fn call(target: &Target, program: &Path) -> Call {
    let settings = target.nearest(SETTINGS);
    let folder = settings.as_deref().and_then(Path::parent);
    let call = Call::new(folder.unwrap_or(target.root()), &["--fix"]);
    if !program.ends_with(SECOND) {
        return call.with(target.file());
    }
    let mut literal = OsString::from(":");
    literal.push(target.file());
    call.with(literal)
}
