//! `--no-verify` and other ways to skip a repository's hooks.

use bellwether_shell::Act;
use bellwether_shell::git::GitAct;
use bellwether_spine::text::line;

use super::Hit;
use crate::guard::loss::{git, hit};
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};

pub(in crate::guard) const ID: &str = "git-skip-hooks";
pub(super) const ABOUT: &str = "leaving a repository's hooks out";
pub(super) const SEVERITY: Severity = Severity::Medium;
pub(super) const BY_LOSS: &str = "denied: the same command with the hooks on does the job";
pub(super) const STRICT: Verdict = Verdict::Deny;

pub(super) fn judge(act: &Act, _: &Scene<'_>) -> Option<Hit> {
    let GitAct::SkipHooks { how, lasting } = git(act)?.0 else {
        return None;
    };
    let (how, lasting) = (line(how, 60), if *lasting { " for good" } else { "" });
    Some(hit(
        Verdict::Deny,
        format!("`{how}` leaves out the checks that this repository wants{lasting}"),
        "run it with the hooks on, and fix what they find",
    ))
}
