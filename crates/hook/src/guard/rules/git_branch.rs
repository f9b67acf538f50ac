//! Branches, tags and references that are deleted or put elsewhere.

use bellwether_shell::git::{GitAct, Moved, Site};
use bellwether_shell::{Act, Text};

use super::Hit;
use crate::guard::loss::{at, commits, git, hit, losing, shown, untold};
use crate::guard::repository::{Leaving, Silence};
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};

pub(super) const ID: &str = "git-branch";
pub(super) const ABOUT: &str = "deleting or moving branches and tags by force";
pub(super) const SEVERITY: Severity = Severity::Medium;
pub(super) const BY_LOSS: &str = "deleting a protected branch is denied; asked when commits would be left that nothing else holds or nothing is known; silent otherwise";
pub(super) const STRICT: Verdict = Verdict::Deny;

const INSTEAD: &str =
    "`git branch -d` deletes only what is merged; `git branch keep` before it keeps the commits";

pub(super) fn judge(act: &Act, scene: &Scene<'_>) -> Option<Hit> {
    let (act, site) = git(act)?;
    match act {
        GitAct::DeleteBranch { names } => deleted(names, site, scene),
        GitAct::DeleteTag { names } => tags(names, site, scene),
        GitAct::DeleteRef { name } => {
            let verdict = if scene.is_strict() {
                Verdict::Deny
            } else {
                Verdict::Ask
            };
            let reason = format!("it deletes references unasked: {}", shown(name));
            Some(hit(verdict, reason, INSTEAD))
        }
        GitAct::MoveBranch { branch, to, how } => moved(branch, to.as_ref(), *how, site, scene),
        _ => None,
    }
}

fn deleted(names: &[Text], site: Option<&Site>, scene: &Scene<'_>) -> Option<Hit> {
    let does = "it deletes branches, merged or not";
    if let Some(name) = names
        .iter()
        .find(|name| name.known().is_some_and(|name| scene.protects(name)))
    {
        let reason = format!("it deletes the protected branch {}", shown(name));
        return Some(hit(Verdict::Deny, reason, INSTEAD));
    }
    if scene.is_strict() {
        return Some(hit(Verdict::Deny, does, INSTEAD));
    }
    let Some(branches) = known(names) else {
        return Some(hit(
            Verdict::Ask,
            format!("{does}, and bellwether cannot tell which"),
            INSTEAD,
        ));
    };
    let leaving = at(site, |site| existing(&branches, "refs/heads/", site, scene));
    let leaving = leaving.map(|tips| Leaving {
        tips,
        branches,
        ..Leaving::default()
    });
    judged(leaving, does, site, scene)
}

fn tags(names: &[Text], site: Option<&Site>, scene: &Scene<'_>) -> Option<Hit> {
    let does = "it deletes tags";
    if scene.is_strict() {
        return Some(hit(Verdict::Deny, does, INSTEAD));
    }
    let Some(tags) = known(names) else {
        return Some(hit(
            Verdict::Ask,
            format!("{does}, and bellwether cannot tell which"),
            INSTEAD,
        ));
    };
    let leaving = at(site, |site| existing(&tags, "refs/tags/", site, scene));
    let leaving = leaving.map(|tips| Leaving {
        tips,
        tags,
        ..Leaving::default()
    });
    judged(leaving, does, site, scene)
}

fn moved(
    branch: &Text,
    to: Option<&Text>,
    how: Moved,
    site: Option<&Site>,
    scene: &Scene<'_>,
) -> Option<Hit> {
    let does = format!(
        "it puts the branch {} elsewhere, whatever it holds",
        shown(branch)
    );
    let is_protected = branch.known().is_some_and(|name| scene.protects(name));
    let grave = match how {
        Moved::Forced => true,
        Moved::Switched => is_protected,
        Moved::Renamed => false,
    };
    if scene.is_strict() {
        return grave.then(|| hit(Verdict::Deny, does, INSTEAD));
    }
    let (Some(name), Some(to)) = (branch.known(), to.map_or(Some("HEAD"), Text::known)) else {
        return Some(hit(Verdict::Ask, does, INSTEAD));
    };
    let names = [name.to_owned()];
    let leaving =
        at(site, |site| existing(&names, "refs/heads/", site, scene)).map(|tips| Leaving {
            tips,
            branches: names.to_vec(),
            kept: vec![to.to_owned()],
            ..Leaving::default()
        });
    match leaving {
        Err(Silence::NoRepository) if !grave => None,
        leaving => judged(leaving, &does, site, scene),
    }
}

fn known(names: &[Text]) -> Option<Vec<String>> {
    names
        .iter()
        .map(|name| name.known().map(ToOwned::to_owned))
        .collect()
}

/// The full names of those that are there.
fn existing(
    names: &[String],
    kind: &str,
    site: &Site,
    scene: &Scene<'_>,
) -> Result<Vec<String>, Silence> {
    let mut there = Vec::new();
    for name in names {
        let full = format!("{kind}{name}");
        if scene.repository.exists(site, &full)? {
            there.push(full);
        }
    }
    Ok(there)
}

fn judged(
    leaving: Result<Leaving, Silence>,
    does: &str,
    site: Option<&Site>,
    scene: &Scene<'_>,
) -> Option<Hit> {
    let count = leaving.and_then(|leaving| match leaving.tips.as_slice() {
        [] => Ok(0),
        _ => at(site, |site| scene.repository.left(site, &leaving)),
    });
    match count {
        Ok(0) => None,
        Ok(count) => Some(losing(Verdict::Ask, does, commits(count), INSTEAD)),
        Err(silence) => Some(untold(&silence, does, INSTEAD)),
    }
}
