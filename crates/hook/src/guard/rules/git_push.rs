//! Pushes that overwrite or delete what others have.

use bellwether_shell::git::{Forced, GitAct, Push, Refspec, Site};
use bellwether_shell::{Act, Text};

use super::Hit;
use crate::guard::loss::{at, git, hit, shown};
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};

pub(in crate::guard) const ID: &str = "git-push";
pub(super) const ABOUT: &str = "forced pushes and deletions on a remote";
pub(super) const SEVERITY: Severity = Severity::High;
pub(super) const BY_LOSS: &str = "denied on a protected branch or on all branches; asked when a branch is deleted or unknown; silent on another branch";
pub(super) const STRICT: Verdict = Verdict::Deny;

const INSTEAD: &str = "push to a new branch with `git push -u origin HEAD:refs/heads/NEW` and let it be merged; undo a commit with `git revert`";

pub(super) fn judge(act: &Act, scene: &Scene<'_>) -> Option<Hit> {
    let (GitAct::Push(push), site) = git(act)? else {
        return None;
    };
    let forced = push.force != Forced::No;
    if push.mirror || push.prune || (push.all && (forced || push.delete)) {
        let reason = "it overwrites or deletes branches of the remote, all of them at once";
        return Some(hit(Verdict::Deny, reason, INSTEAD));
    }
    let implicit = push.refs.is_empty() && !push.tags && (forced || push.delete);
    if implicit {
        return current(push, site, scene);
    }
    if push.tags && forced {
        return Some(hit(
            asking(scene),
            "it moves tags that others have",
            INSTEAD,
        ));
    }
    let hits = push
        .refs
        .iter()
        .filter_map(|one| reference(one, push, site, scene));
    hits.max_by_key(|hit| hit.verdict)
}

fn asking(scene: &Scene<'_>) -> Verdict {
    if scene.is_strict() {
        Verdict::Deny
    } else {
        Verdict::Ask
    }
}

/// What is pushed when nothing is named.
fn current(push: &Push, site: Option<&Site>, scene: &Scene<'_>) -> Option<Hit> {
    let unknown = || {
        let reason = "it is forced, and the branch it overwrites cannot be told";
        Some(hit(asking(scene), reason, INSTEAD))
    };
    if scene.is_strict() {
        return unknown();
    }
    let matching = at(site, |site| scene.repository.setting(site, "push.default"));
    if matches!(&matching, Ok(Some(value)) if value == "matching") {
        let reason = "it overwrites every branch that the remote has too";
        return Some(hit(Verdict::Deny, reason, INSTEAD));
    }
    let Ok(Some(branch)) = at(site, |site| scene.repository.current_branch(site)) else {
        return unknown();
    };
    let upstream = at(site, |site| scene.repository.upstream(site, &branch)).unwrap_or(None);
    let mut names = std::iter::once(branch).chain(upstream);
    let hit = names.find_map(|name| branch_hit(&name, push.delete, site, scene));
    hit.or_else(|| {
        push.remote
            .as_ref()
            .is_some_and(Text::has_hole)
            .then(unknown)
            .flatten()
    })
}

fn reference(one: &Refspec, push: &Push, site: Option<&Site>, scene: &Scene<'_>) -> Option<Hit> {
    let deletes = push.delete || one.from.is_none();
    if !deletes && !one.force && push.force == Forced::No {
        return None;
    }
    let to = one.to.as_ref().or(one.from.as_ref())?;
    let Some(name) = to.literal() else {
        let reason = format!("it force-pushes to `{}`, which is unknown", shown(to));
        return Some(hit(asking(scene), reason, INSTEAD));
    };
    if name == "HEAD" || name == "@" {
        return current(push, site, scene);
    }
    if name.starts_with("refs/tags/") {
        let reason = format!(
            "it moves or deletes the tag {}, which others have",
            shown(to)
        );
        return Some(hit(asking(scene), reason, INSTEAD));
    }
    let bare = name.strip_prefix("refs/").unwrap_or(&name);
    let bare = bare.strip_prefix("heads/").unwrap_or(bare);
    branch_hit(bare, deletes, site, scene)
}

fn branch_hit(name: &str, deletes: bool, site: Option<&Site>, scene: &Scene<'_>) -> Option<Hit> {
    let does = if deletes { "deletes" } else { "overwrites" };
    let shown = shown(&name.into());
    let all = name.contains('*');
    if all || scene.protects(name) || is_default(name, site, scene) {
        let reason = format!(
            "it {does} the protected branch {shown} of the remote, and with it commits of others"
        );
        return Some(hit(Verdict::Deny, reason, INSTEAD));
    }
    deletes.then(|| {
        let reason = format!("it deletes the branch {shown} of the remote");
        hit(
            asking(scene),
            reason,
            "leave it, or delete it where it was merged",
        )
    })
}

fn is_default(name: &str, site: Option<&Site>, scene: &Scene<'_>) -> bool {
    !scene.is_strict()
        && at(site, |site| scene.repository.default_branches(site))
            .is_ok_and(|branches| branches.iter().any(|branch| branch == name))
}
