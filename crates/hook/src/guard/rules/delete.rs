//! Deleting what nobody can do without: the machine, a home, a project, a repository's history.

use std::path::Path;

use bellwether_shell::{Act, Effect, Reach};

use super::Hit;
use crate::guard::loss;
use crate::guard::regenerable::is_junk;
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};
use crate::guard::zone::{Whereabouts, Zone};

pub(super) const ID: &str = "delete";
pub(super) const ABOUT: &str =
    "deleting the machine, a home, a project as a whole or a repository's history";
pub(super) const SEVERITY: Severity = Severity::Critical;
pub(super) const BY_LOSS: &str = "denied";
pub(super) const STRICT: Verdict = Verdict::Deny;

pub(super) fn judge(act: &Act, scene: &Scene<'_>) -> Option<Hit> {
    let Effect::Delete { targets, reach } = &act.effect else {
        return None;
    };
    targets
        .iter()
        .flat_map(|target| scene.spots(target))
        .find_map(|spot| match spot {
            Whereabouts::At(zone, path) => disaster(zone, &path, *reach, scene),
            // Some of what is in there is still too much, unless only tools write it.
            Whereabouts::Some(zone, path, filter) => {
                // All repositories that are found.
                if filter.patterns.iter().any(|pattern| pattern == ".git") && zone > Zone::Cache {
                    return disaster(Zone::Repository, &path, *reach, scene);
                }
                let junk = filter.patterns.iter().all(|pattern| is_junk(pattern));
                let spare = filter.patterns.iter().all(|pattern| is_spare(pattern));
                let whole = matches!(zone, Zone::Root | Zone::System)
                    || (zone == Zone::Repository && !junk && !spare)
                    || (matches!(zone, Zone::Home | Zone::Belongings) && !junk);
                whole.then(|| disaster(zone, &path, *reach, scene))?
            }
            Whereabouts::Unknown => None,
        })
}

/// What git leaves lying in its own folder, or puts there as an example.
fn is_spare(pattern: &str) -> bool {
    let ends = [".lock", ".sample", ".log", ".orig", "_MSG", "_EDITMSG"];
    ends.iter().any(|end| pattern.ends_with(end)) || pattern.starts_with("tmp_")
}

fn disaster(zone: Zone, path: &Path, reach: Reach, scene: &Scene<'_>) -> Option<Hit> {
    let (lost, instead) = match zone {
        Zone::Root => ("everything on this machine", OUTSIDE),
        Zone::System => ("a folder that this system needs", OUTSIDE),
        Zone::Home => ("your whole home folder", OUTSIDE),
        // A single file of the home is asked about, not denied.
        Zone::Belongings if reach == Reach::Trees || scene.is_strict() => {
            ("personal files, keys or accounts", OUTSIDE)
        }
        Zone::Project => (
            "the whole project, with its history and what is not committed",
            "delete only the folders that a build makes, by their names",
        ),
        Zone::Repository => (
            "the history of the repository, and what is not pushed",
            "leave git's own files to git: `git gc`, `git worktree prune`, `git rm`",
        ),
        _ => return None,
    };
    Some(Hit {
        verdict: Verdict::Deny,
        reason: format!("it deletes {}", loss::path(path)),
        lost: Some(lost.to_owned()),
        instead: Some(instead.to_owned()),
    })
}

const OUTSIDE: &str = "delete only what this task has made, by its full path inside the project";
