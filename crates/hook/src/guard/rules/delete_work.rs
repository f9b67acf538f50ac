//! Deleting inside the project: what git cannot bring back is lost.

use std::path::{Path, PathBuf};

use bellwether_shell::{Act, Effect, Entry, Place, Reach};

use super::Hit;
use crate::guard::loss;
use crate::guard::regenerable::{self, Made};
use crate::guard::repository::{Changes, Silence};
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};
use crate::guard::zone::{Filter, Whereabouts, Zone};

pub(in crate::guard) const ID: &str = "delete-work";
pub(super) const ABOUT: &str = "deleting folders and groups of files inside the project";
pub(super) const SEVERITY: Severity = Severity::High;
pub(super) const BY_LOSS: &str = "asked when something goes that git cannot bring back and no build makes again; silent otherwise, and for single files";
pub(super) const STRICT: Verdict = Verdict::Deny;

const INSTEAD: &str = "commit or `git stash push -u` what is not committed first, or delete only what this task has made";

pub(super) fn judge(act: &Act, scene: &Scene<'_>) -> Option<Hit> {
    let Effect::Delete { targets, reach } = &act.effect else {
        return None;
    };
    let project = scene.own_project()?;
    let mut all = Vec::new();
    for target in targets {
        // One file by its name is what agents delete all day.
        let single = *reach == Reach::Entries && matches!(target.place, Place::At(_));
        if !single {
            let spots = scene.spots(target).into_iter();
            all.extend(spots.filter_map(|spot| doomed(spot, project, scene)));
        }
    }
    let doomed = all;
    if doomed.is_empty() {
        return None;
    }
    if scene.is_strict() {
        let reason = format!("it deletes {}", named(&doomed));
        return Some(loss::hit(Verdict::Deny, reason, INSTEAD));
    }
    weigh(&doomed, project, scene)
}

/// What of a folder in the project git could not bring back if it went; nothing where git cannot be asked.
pub(super) fn only_copy(path: &Path, scene: &Scene<'_>) -> Option<String> {
    let project = scene.own_project()?;
    let spot = Whereabouts::At(Zone::Inside, path.to_owned());
    let doomed = [doomed(spot, project, scene)?];
    let changes = scene.repository.changes(project, &[path.to_owned()]).ok()?;
    let lost = lost(&changes, &doomed, scene);
    (!lost.is_empty()).then_some(lost)
}

struct Doomed {
    path: PathBuf,
    filter: Option<Filter>,
    made: Made,
}

impl Doomed {
    /// Whether something that git has no copy of goes with it. Folders end with a slash, and stand for all in them.
    fn takes(&self, name: &str, changes: &Changes, scene: &Scene<'_>) -> bool {
        let path = changes.root.join(name.trim_end_matches('/'));
        let is_folder = name.ends_with('/');
        let inside = path.strip_prefix(&self.path).ok();
        let around = is_folder && self.path.starts_with(&path);
        let Some(filter) = &self.filter else {
            return inside.is_some() || around;
        };
        let fits = |inside: &Path| {
            let mut names = inside.components();
            names.any(|part| filter.fits(&part.as_os_str().to_string_lossy()))
        };
        if inside.is_some_and(fits) {
            return true;
        }
        let folder = if around { &self.path } else { &path };
        is_folder && (around || inside.is_some()) && holds(folder, filter, scene)
    }
}

/// The most folders that are looked through for names that fit.
const MOST_FOLDERS: usize = 64;

/// Whether something in a folder fits; where there is too much to look at, it may.
fn holds(folder: &Path, filter: &Filter, scene: &Scene<'_>) -> bool {
    let mut folders = vec![folder.to_owned()];
    for _ in 0..MOST_FOLDERS {
        let Some(folder) = folders.pop() else {
            return false;
        };
        for name in scene.world.names(&folder) {
            if filter.fits(&name) {
                return true;
            }
            let path = folder.join(name);
            if filter.deep && scene.world.look(&path) == Entry::Folder {
                folders.push(path);
            }
        }
    }
    !folders.is_empty()
}

fn doomed(spot: Whereabouts, project: &Path, scene: &Scene<'_>) -> Option<Doomed> {
    match spot {
        Whereabouts::At(Zone::Inside, path) => {
            let made = regenerable::made(&path, project);
            // What the project's own code deletes under such a name, it makes itself.
            let its_own = scene.own && made == Made::Often;
            (made != Made::Always && !its_own && scene.is_there(&path)).then_some(Doomed {
                path,
                filter: None,
                made,
            })
        }
        Whereabouts::Some(Zone::Inside | Zone::Project, path, filter) => {
            let junk = filter
                .patterns
                .iter()
                .all(|pattern| regenerable::is_junk(pattern));
            let made = regenerable::made(&path, project);
            // A pattern that matches nothing takes nothing.
            let matches_nothing =
                !filter.deep && !filter.patterns.iter().any(|pattern| pattern.contains('/'));
            (!junk && !matches_nothing && made != Made::Always && scene.is_there(&path)).then_some(
                Doomed {
                    path,
                    filter: Some(filter),
                    made,
                },
            )
        }
        _ => None,
    }
}

fn weigh(doomed: &[Doomed], project: &Path, scene: &Scene<'_>) -> Option<Hit> {
    let paths: Vec<PathBuf> = doomed.iter().map(|doomed| doomed.path.clone()).collect();
    match scene.repository.changes(project, &paths) {
        Ok(changes) => {
            let changes = if scene.own {
                changed_only(changes)
            } else {
                changes
            };
            let lost = lost(&changes, doomed, scene);
            (!lost.is_empty()).then(|| Hit {
                verdict: Verdict::Ask,
                reason: format!(
                    "it deletes {}, and git cannot bring back all of it",
                    named(doomed)
                ),
                lost: Some(lost),
                instead: Some(INSTEAD.to_owned()),
            })
        }
        Err(_) if scene.own => None,
        Err(silence) => {
            let rest: Vec<&Doomed> = doomed
                .iter()
                .filter(|doomed| doomed.made == Made::No)
                .collect();
            (!rest.is_empty()).then(|| {
                let does = match silence {
                    Silence::NoRepository => {
                        format!("it deletes {}, which is in no repository", named(doomed))
                    }
                    Silence::Trouble(_) => format!("it deletes {}", named(doomed)),
                };
                match silence {
                    Silence::NoRepository => Hit {
                        verdict: Verdict::Ask,
                        reason: does,
                        lost: Some("all of it: there is no other copy that can be seen".to_owned()),
                        instead: Some(
                            "move it to a folder below /tmp instead of deleting it".to_owned(),
                        ),
                    },
                    Silence::Trouble(_) => loss::untold(&silence, &does, INSTEAD),
                }
            })
        }
    }
}

/// The project's own code knows which of the files that git does not have it makes itself.
fn changed_only(changes: Changes) -> Changes {
    Changes {
        untracked: Vec::new(),
        ignored: Vec::new(),
        ..changes
    }
}

/// What git could not bring back.
fn lost(changes: &Changes, doomed: &[Doomed], scene: &Scene<'_>) -> String {
    let meant = |name: &&String| {
        doomed
            .iter()
            .any(|doomed| doomed.takes(name, changes, scene))
    };
    let often = doomed.iter().all(|doomed| doomed.made == Made::Often);
    let untracked: Vec<&String> = changes.untracked.iter().filter(meant).collect();
    let precious = |name: &&String| {
        regenerable::made(
            &changes.root.join(name.trim_end_matches('/')),
            &changes.root,
        ) == Made::No
    };
    let ignored: Vec<&String> = changes
        .ignored
        .iter()
        .filter(precious)
        .filter(meant)
        .collect();
    let modified: Vec<&String> = changes.modified.iter().filter(meant).collect();
    let mut parts = Vec::new();
    for (names, what) in [
        (modified, "modified file"),
        (untracked, "file that git has never seen"),
        (ignored, "ignored file or folder"),
    ] {
        if !names.is_empty() && (!often || what == "modified file") {
            parts.push(loss::names(&names, what));
        }
    }
    parts.join("; ")
}

fn named(doomed: &[Doomed]) -> String {
    let first = doomed.first().map(|doomed| match &doomed.filter {
        Some(filter) => format!(
            "{} in {}",
            filter.patterns.join(", "),
            loss::path(&doomed.path)
        ),
        None => loss::path(&doomed.path),
    });
    let first = first.unwrap_or_default();
    match doomed.len() {
        0 | 1 => first,
        more => format!("{first} and {} more", more - 1),
    }
}
