//! `git clean`: what git has never seen cannot be brought back.

use bellwether_shell::Act;
use bellwether_shell::git::{Cleaning, GitAct, Ignored, Site};

use super::Hit;
use crate::guard::loss::{at, before, counted, git, hit, losing, untold};
use crate::guard::repository::{Kind, Names, Silence};
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};

pub(super) const ID: &str = "git-clean";
pub(super) const ABOUT: &str = "removing files that git does not know";
pub(super) const SEVERITY: Severity = Severity::High;
pub(super) const BY_LOSS: &str = "denied when untracked files would go; asked when ignored files would go that no build makes again, or nothing is known; silent otherwise";
pub(super) const STRICT: Verdict = Verdict::Deny;

const INSTEAD: &str =
    "`git clean -n` shows what would go; `git stash push -u` puts it aside and keeps it";
const DOES: &str = "`git clean` deletes files that git cannot bring back";

/// What builds and tools make again.
const REGENERABLE: &[&str] = &[
    "node_modules",
    "target",
    "dist",
    "build",
    "out",
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".tox",
    ".venv",
    "venv",
    ".next",
    ".nuxt",
    ".turbo",
    ".cache",
    ".parcel-cache",
    ".gradle",
    ".svelte-kit",
    "coverage",
    ".nyc_output",
    ".coverage",
    "htmlcov",
    ".DS_Store",
    ".eslintcache",
    ".terraform",
    "bin",
    "obj",
    "vendor",
];
const REGENERABLE_ENDS: &[&str] = &[
    ".log",
    ".pyc",
    ".pyo",
    ".o",
    ".class",
    ".tsbuildinfo",
    ".egg-info",
    ".swp",
    ".tmp",
];

pub(super) fn judge(act: &Act, scene: &Scene<'_>) -> Option<Hit> {
    let (GitAct::Clean(cleaning), site) = git(act)? else {
        return None;
    };
    if !is_allowed(cleaning, site, scene) {
        return None;
    }
    if scene.is_strict() {
        return Some(hit(Verdict::Deny, DOES, INSTEAD));
    }
    if cleaning.ignored != Ignored::Only && !before(act).has_untracked() {
        match at(site, |site| {
            scene.repository.cleaned(site, cleaning, Kind::Untracked)
        }) {
            Ok(names) if !names.names.is_empty() => return Some(untracked(cleaning, &names)),
            Ok(_) => {}
            Err(silence) => return Some(untold(&silence, DOES, INSTEAD)),
        }
    }
    if cleaning.ignored == Ignored::Stay {
        return None;
    }
    match at(site, |site| {
        scene.repository.cleaned(site, cleaning, Kind::Ignored)
    }) {
        Ok(names) => ignored(names),
        Err(silence) => Some(untold(&silence, DOES, INSTEAD)),
    }
}

/// Whether git would do it: by force, or because the repository needs none.
fn is_allowed(cleaning: &Cleaning, site: Option<&Site>, scene: &Scene<'_>) -> bool {
    cleaning.forced
        || (!scene.is_strict()
            && at(site, |site| {
                scene.repository.setting(site, "clean.requireForce")
            })
            .is_ok_and(|value| value.as_deref() == Some("false")))
}

fn untracked(cleaning: &Cleaning, names: &Names) -> Hit {
    let unknown = cleaning.paths.iter().any(|path| path.literal().is_none());
    let verdict = if unknown { Verdict::Ask } else { Verdict::Deny };
    losing(verdict, DOES, counted(names, "untracked file"), INSTEAD)
}

fn ignored(names: Names) -> Option<Hit> {
    let precious = Names {
        names: names
            .names
            .into_iter()
            .filter(|name| !is_regenerable(name))
            .collect(),
        more: names.more,
    };
    if precious.names.is_empty() {
        return precious.more.then(|| {
            untold(
                &Silence::Trouble("there are too many ignored files".to_owned()),
                DOES,
                INSTEAD,
            )
        });
    }
    let does = "`git clean` deletes ignored files that no build may make again";
    Some(losing(
        Verdict::Ask,
        does,
        counted(&precious, "ignored file"),
        INSTEAD,
    ))
}

fn is_regenerable(name: &str) -> bool {
    name.split('/').any(|part| {
        REGENERABLE.contains(&part) || REGENERABLE_ENDS.iter().any(|end| part.ends_with(end))
    })
}
