//! The policy's file: put in place once, and compiled for the hook.

use anyhow::{Context as _, anyhow};
use bellwether_hook::policy::Policy;
use bellwether_spine::Managed;

use crate::config;

/// What a machine begins with.
const FIRST: &str = "\
# The policy of this machine for bellwether's guard. After a change: sudo bellwether config compile --managed
#
# Users and projects can make the guard stricter than this in their own configuration, and never milder: what would switch
# it or a rule off, allow something, or shorten a list counts for nothing there.

# Everything under `guard` is as in a user's config.yaml: see docs/config.md. These are the defaults.
#guard:
#  mode: loss                              # or strict
#  protected_branches: [main, master]
#  protected_files: []
#  answers: {default: ask, bypassPermissions: deny, unattended: deny}
#  rules: {}
#  allow: []

# Whether `sudo bellwether guard allow … --managed` may let something through for a while.
#temporary_allowances: true

# Whether a user may answer permission requests from their own page.
#page_answers: false
";

/// The policy as it stands in its file, or as it would be.
pub(super) fn read(managed: &Managed) -> anyhow::Result<Policy> {
    let path = managed.policy();
    let text = managed.read(&path)?;
    let text = text.unwrap_or_else(|| FIRST.as_bytes().to_vec());
    let text = String::from_utf8(text).map_err(|_| anyhow!("{} is not UTF-8", path.display()))?;
    config::policy(&path, &text)
        .map_err(|problem| anyhow!("{problem}"))
        .context("the policy is wrong, and the one that was compiled last stays in effect")
}

/// Says what is wrong in the policy's file.
pub(crate) fn check(managed: &Managed) -> anyhow::Result<()> {
    read(managed).map(drop)
}

/// Puts a policy in place where there is none.
pub(super) fn begin(managed: &Managed) -> anyhow::Result<bool> {
    let path = managed.policy();
    if path.symlink_metadata().is_ok() {
        return Ok(false);
    }
    managed.replace(&path, FIRST.as_bytes())?;
    Ok(true)
}

/// Makes the snapshot that the hook reads.
pub(crate) fn compile(managed: &Managed) -> anyhow::Result<()> {
    let snapshot = read(managed)?.snapshot(managed)?;
    Ok(managed.replace(&managed.snapshot(), &snapshot)?)
}
