//! `git reset --hard`: what is not committed goes, and commits may lose their name.

use bellwether_shell::git::{Cleaning, GitAct, Ignored, Kept, ResetMode, Site};
use bellwether_shell::{Act, Text};

use super::Hit;
use crate::guard::loss::{at, before, commits, counted, git, hit, losing, shown, untold};
use crate::guard::repository::{Kind, Leaving, Silence};
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};

pub(super) const ID: &str = "git-reset";
pub(super) const ABOUT: &str = "resets that throw work away";
pub(super) const SEVERITY: Severity = Severity::High;
pub(super) const BY_LOSS: &str = "denied when files were modified; asked when commits would leave every branch or nothing is known; silent otherwise";
pub(super) const STRICT: Verdict = Verdict::Deny;

const INSTEAD: &str = "`git stash push -u` first, which keeps the work";
const DOES: &str = "`git reset` throws away every change that is not committed";

pub(super) fn judge(act: &Act, scene: &Scene<'_>) -> Option<Hit> {
    let (
        GitAct::Reset {
            mode,
            to,
            submodules,
        },
        site,
    ) = git(act)?
    else {
        return None;
    };
    if scene.is_strict() {
        return Some(hit(Verdict::Deny, DOES, INSTEAD));
    }
    let before = before(act);
    let commit = to.as_ref().and_then(Text::known);
    match before.kept {
        // What was committed stays where the branch is.
        Some(Kept::Commit { .. }) if matches!(commit, None | Some("HEAD" | "@")) => return None,
        Some(Kept::Stash { .. }) => {
            let to = to.as_ref().filter(|_| *mode == ResetMode::Hard)?;
            let site = site?;
            return (!before.named).then(|| leaving(to, site, scene)).flatten();
        }
        _ => {}
    }
    match at(site, |site| scene.repository.modified(site, &[])) {
        Ok(names) if !names.names.is_empty() => {
            return Some(losing(
                Verdict::Deny,
                DOES,
                counted(&names, "modified file"),
                INSTEAD,
            ));
        }
        Ok(_) if before.staged && before.kept.is_none() => {
            if let Some(hit) = staged(site, scene) {
                return Some(hit);
            }
        }
        Ok(_) => {}
        Err(silence) => return Some(untold(&silence, DOES, INSTEAD)),
    }
    if let Some(hit) = in_submodules(*submodules, site?, scene) {
        return Some(hit);
    }
    let to = to.as_ref().filter(|_| *mode == ResetMode::Hard)?;
    let site = site?;
    (!before.named).then(|| leaving(to, site, scene)).flatten()
}

/// What git had never seen and the same command has staged goes with the reset.
fn staged(site: Option<&Site>, scene: &Scene<'_>) -> Option<Hit> {
    let all = Cleaning {
        paths: Vec::new(),
        except: Vec::new(),
        folders: true,
        repositories: false,
        ignored: Ignored::Stay,
        forced: true,
    };
    let names = at(site, |site| {
        scene.repository.cleaned(site, &all, Kind::Untracked)
    })
    .ok()?;
    let lost = counted(&names, "file that was never committed");
    (!names.names.is_empty()).then(|| losing(Verdict::Deny, DOES, lost, INSTEAD))
}

fn in_submodules(told: bool, site: &Site, scene: &Scene<'_>) -> Option<Hit> {
    let recurses = told
        || matches!(scene.repository.setting(site, "submodule.recurse"), Ok(Some(value)) if value == "true");
    let there = recurses && scene.repository.has_submodules(site).unwrap_or(true);
    there.then(|| {
        let reason = "it resets submodules too, whose changes cannot be told";
        hit(
            Verdict::Ask,
            reason,
            "`git submodule foreach git status` first",
        )
    })
}

fn leaving(to: &Text, site: &Site, scene: &Scene<'_>) -> Option<Hit> {
    let instead = "`git branch keep` first, which keeps the commits";
    let Some(name) = to.known() else {
        let reason = format!("bellwether cannot tell where `{}` leads", shown(to));
        return Some(hit(Verdict::Ask, reason, instead));
    };
    let counted = scene.repository.current_branch(site).and_then(|branch| {
        scene.repository.left(
            site,
            &Leaving {
                tips: vec!["HEAD".to_owned()],
                branches: branch.into_iter().collect(),
                kept: vec![name.to_owned()],
                ..Leaving::default()
            },
        )
    });
    match counted {
        Ok(0) | Err(Silence::NoRepository) => None,
        Ok(count) => {
            let does = "it leaves commits behind that only the reflog could bring back";
            Some(losing(Verdict::Ask, does, commits(count), instead))
        }
        Err(silence) => Some(untold(&silence, "it may leave commits behind", instead)),
    }
}
