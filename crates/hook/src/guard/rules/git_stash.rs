//! `git stash drop` and `clear`: what was put aside is thrown away.

use bellwether_shell::Act;
use bellwether_shell::git::{GitAct, Kept, Site, Stashed};

use super::Hit;
use crate::guard::loss::{at, before, counted, git, hit, losing, untold};
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};

pub(super) const ID: &str = "git-stash";
pub(super) const ABOUT: &str = "throwing stashed work away";
pub(super) const SEVERITY: Severity = Severity::High;
pub(super) const BY_LOSS: &str = "clearing is denied and dropping asked when something is stashed or nothing is known; silent otherwise";
pub(super) const STRICT: Verdict = Verdict::Deny;

const INSTEAD: &str =
    "`git stash branch keep` turns a stash into a branch; `git stash list` shows them";
const DOES: &str = "it throws stashed work away";

pub(super) fn judge(act: &Act, scene: &Scene<'_>) -> Option<Hit> {
    let (GitAct::DropStash(which), site) = git(act)? else {
        return None;
    };
    if scene.is_strict() {
        return Some(hit(Verdict::Deny, DOES, INSTEAD));
    }
    let verdict = match which {
        Stashed::All => Verdict::Deny,
        Stashed::One(_) => Verdict::Ask,
    };
    match at(site, |site| scene.repository.stashes(site)) {
        Ok(names) if names.names.is_empty() => put_away(act, site, scene),
        Ok(names) => Some(losing(
            verdict,
            DOES,
            counted(&names, "stash item"),
            INSTEAD,
        )),
        Err(silence) => Some(untold(&silence, DOES, INSTEAD)),
    }
}

/// What the same command has stashed before.
fn put_away(act: &Act, site: Option<&Site>, scene: &Scene<'_>) -> Option<Hit> {
    matches!(before(act).kept, Some(Kept::Stash { .. })).then_some(())?;
    let names = at(site, |site| scene.repository.modified(site, &[])).ok()?;
    let lost = counted(&names, "modified file");
    (!names.names.is_empty()).then(|| losing(Verdict::Deny, DOES, lost, INSTEAD))
}
