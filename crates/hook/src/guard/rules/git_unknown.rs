//! A git command that is forced, but not known.

use bellwether_shell::Act;
use bellwether_shell::git::GitAct;
use bellwether_spine::text::shown;

use super::Hit;
use crate::guard::loss::{git, hit};
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};

pub(in crate::guard) const ID: &str = "git-unknown";
pub(super) const ABOUT: &str = "forced git commands that cannot be resolved";
pub(super) const SEVERITY: Severity = Severity::Medium;
pub(super) const BY_LOSS: &str = "asked: bellwether cannot tell what git would do";
pub(super) const STRICT: Verdict = Verdict::Deny;

pub(super) fn judge(act: &Act, scene: &Scene<'_>) -> Option<Hit> {
    let GitAct::Unknown { what } = git(act)?.0 else {
        return None;
    };
    Some(hit(
        if scene.is_strict() {
            Verdict::Deny
        } else {
            Verdict::Ask
        },
        format!("bellwether cannot tell what `{}` would do", shown(what, 80)),
        "write the git command out, without variables",
    ))
}
