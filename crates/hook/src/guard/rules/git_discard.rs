//! `git checkout -- .`, `git restore .`, `git switch -f`: changes replaced by what git knows.

use bellwether_shell::Act;
use bellwether_shell::git::{Discarding, GitAct, Site};

use super::Hit;
use crate::guard::loss::{at, before, counted, git, hit, losing, pathspecs, untold};
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};

pub(super) const ID: &str = "git-discard";
pub(super) const ABOUT: &str = "discarding changes of the work tree";
pub(super) const SEVERITY: Severity = Severity::High;
pub(super) const BY_LOSS: &str =
    "denied when it would discard modified files; asked when nothing is known; silent otherwise";
pub(super) const STRICT: Verdict = Verdict::Deny;

const INSTEAD: &str = "`git stash push` with the same paths, which keeps the changes";
const DOES: &str = "it replaces changed files by what git has of them";

pub(super) fn judge(act: &Act, scene: &Scene<'_>) -> Option<Hit> {
    let (GitAct::Discard(discarding), site) = git(act)? else {
        return None;
    };
    if scene.is_strict() {
        return (!discarding.maybe).then(|| hit(Verdict::Deny, DOES, INSTEAD));
    }
    if before(act).kept.is_some() || (discarding.maybe && is_commit(discarding, site, scene)) {
        return None;
    }
    let (paths, known) = pathspecs(&discarding.paths);
    match at(site, |site| scene.repository.modified(site, &paths)) {
        Ok(names) if names.names.is_empty() => in_submodules(discarding, site, scene),
        Ok(names) => {
            let verdict = if known { Verdict::Deny } else { Verdict::Ask };
            Some(losing(
                verdict,
                DOES,
                counted(&names, "modified file"),
                INSTEAD,
            ))
        }
        Err(silence) => Some(untold(&silence, DOES, INSTEAD)),
    }
}

fn is_commit(discarding: &Discarding, site: Option<&Site>, scene: &Scene<'_>) -> bool {
    let name = discarding.paths.first().and_then(|path| path.known());
    name.is_some_and(|name| at(site, |site| scene.repository.exists(site, name)).unwrap_or(false))
}

fn in_submodules(discarding: &Discarding, site: Option<&Site>, scene: &Scene<'_>) -> Option<Hit> {
    let there = discarding.submodules
        && at(site, |site| scene.repository.has_submodules(site)).unwrap_or(true);
    there.then(|| {
        let reason = "it reaches into submodules, whose changes cannot be told";
        hit(
            Verdict::Ask,
            reason,
            "`git submodule foreach git status` first",
        )
    })
}
