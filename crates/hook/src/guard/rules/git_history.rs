//! History written anew, and what could still be brought back forgotten.

use bellwether_shell::Act;
use bellwether_shell::git::GitAct;

use super::Hit;
use crate::guard::loss::{git, hit};
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};

pub(in crate::guard) const ID: &str = "git-history";
pub(super) const ABOUT: &str = "rewriting or forgetting history";
pub(super) const SEVERITY: Severity = Severity::High;
pub(super) const BY_LOSS: &str =
    "asked: every commit gets a new name, or lost work can no longer be found";
pub(super) const STRICT: Verdict = Verdict::Deny;

pub(super) fn judge(act: &Act, scene: &Scene<'_>) -> Option<Hit> {
    let verdict = if scene.is_strict() {
        Verdict::Deny
    } else {
        Verdict::Ask
    };
    match git(act)?.0 {
        GitAct::RewriteHistory { by } => Some(hit(
            verdict,
            format!("`{by}` writes commits anew; everybody else's copies no longer fit them"),
            "work on a fresh clone, or undo single commits with `git revert`",
        )),
        GitAct::Forget { by } => Some(hit(
            verdict,
            format!("`{by}` forgets commits and stashes that could still be brought back"),
            "`git gc` alone keeps what is younger than two weeks",
        )),
        _ => None,
    }
}
