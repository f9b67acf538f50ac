//! Deleting inside the project: what git cannot bring back is lost.

use std::path::{Path, PathBuf};

use bellwether_shell::{Act, Effect, Place, Reach};

use super::Hit;
use crate::guard::loss;
use crate::guard::regenerable::{self, Made};
use crate::guard::repository::{Changes, Silence};
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};
use crate::guard::zone::{Filter, Whereabouts, Zone};

pub(super) const ID: &str = "delete-work";
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

struct Doomed {
    path: PathBuf,
    filter: Option<Filter>,
    made: Made,
}

fn doomed(spot: Whereabouts, project: &Path, scene: &Scene<'_>) -> Option<Doomed> {
    match spot {
        Whereabouts::At(Zone::Inside, path) => {
            let made = regenerable::made(&path, project);
            (made != Made::Always && scene.is_there(&path)).then_some(Doomed {
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
            let lost = lost(&changes, doomed);
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

/// What git could not bring back.
fn lost(changes: &Changes, doomed: &[Doomed]) -> String {
    let meant = |name: &&String| {
        let path = changes.root.join(name.trim_end_matches('/'));
        doomed.iter().any(|doomed| {
            path.starts_with(&doomed.path)
                && doomed.filter.as_ref().is_none_or(|filter| {
                    path.file_name()
                        .is_some_and(|name| filter.fits(&name.to_string_lossy()))
                })
        })
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
        .filter(meant)
        .filter(precious)
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
