//! Files that git removes by force: a work tree, tracked files, submodules.

use bellwether_shell::git::{GitAct, Site};
use bellwether_shell::{Act, Text};

use super::Hit;
use crate::guard::loss::{at, counted, git, hit, losing, pathspecs, shown, untold};
use crate::guard::repository::{Names, Silence};
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};

pub(super) const ID: &str = "git-worktree";
pub(super) const ABOUT: &str = "removing work trees, tracked files and submodules by force";
pub(super) const SEVERITY: Severity = Severity::Medium;
pub(super) const BY_LOSS: &str =
    "asked when something in them is not committed or nothing is known; silent otherwise";
pub(super) const STRICT: Verdict = Verdict::Deny;

pub(super) fn judge(act: &Act, scene: &Scene<'_>) -> Option<Hit> {
    let (act, site) = git(act)?;
    match act {
        GitAct::RemoveWorktree { path } => worktree(path, site, scene),
        GitAct::RemoveFiles { paths } => files(paths, site, scene),
        GitAct::DropSubmodules { by } => submodules(by, site, scene),
        _ => None,
    }
}

fn worktree(path: &Text, site: Option<&Site>, scene: &Scene<'_>) -> Option<Hit> {
    let does = format!(
        "it removes the work tree {} with all that is in it",
        shown(path)
    );
    let instead = "`git worktree remove` without force, which stops when something would be lost";
    if scene.is_strict() {
        return Some(hit(Verdict::Deny, does, instead));
    }
    let changes = at(site, |site| match path.known() {
        Some(known) => scene.repository.changes(&site.folder.join(known), &[]),
        None => Err(Silence::Trouble("its path is not known".to_owned())),
    });
    match changes {
        Ok(changes) => {
            let names = Names {
                names: changes
                    .modified
                    .into_iter()
                    .chain(changes.untracked)
                    .collect(),
                more: false,
            };
            let lost = (!names.names.is_empty()).then(|| counted(&names, "uncommitted file"))?;
            Some(losing(Verdict::Ask, &does, lost, instead))
        }
        Err(silence) => Some(untold(&silence, &does, instead)),
    }
}

fn files(paths: &[Text], site: Option<&Site>, scene: &Scene<'_>) -> Option<Hit> {
    let does = "`git rm` by force removes files with changes that are not committed";
    let instead = "`git rm --cached` keeps the files; `git rm` without force stops at changed ones";
    if scene.is_strict() {
        return Some(hit(Verdict::Deny, does, instead));
    }
    let (paths, _) = pathspecs(paths);
    match at(site, |site| scene.repository.modified(site, &paths)) {
        Ok(names) if names.names.is_empty() => None,
        Ok(names) => Some(losing(
            Verdict::Ask,
            does,
            counted(&names, "modified file"),
            instead,
        )),
        Err(silence) => Some(untold(&silence, does, instead)),
    }
}

fn submodules(by: &str, site: Option<&Site>, scene: &Scene<'_>) -> Option<Hit> {
    let does = format!("`{by}` throws away what was changed in submodules");
    let instead = "the same without force, which stops when something would be lost";
    if scene.is_strict() {
        return Some(hit(Verdict::Deny, does, instead));
    }
    match at(site, |site| scene.repository.has_submodules(site)) {
        Ok(false) => None,
        Ok(true) => Some(hit(Verdict::Ask, does, instead)),
        Err(silence) => Some(untold(&silence, &does, instead)),
    }
}
