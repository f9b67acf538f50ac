//! Emptying, shredding or overwriting files that nobody can bring back.

use std::path::Path;

use bellwether_shell::{Act, Effect, How, Place};

use super::Hit;
use super::delete_unknown::is_file_name;
use crate::guard::loss;
use crate::guard::regenerable::{self, Made};
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};
use crate::guard::zone::{Whereabouts, Zone};

pub(super) const ID: &str = "wipe";
pub(super) const ABOUT: &str =
    "emptying or shredding files, and overwriting those of the system and the home";
pub(super) const SEVERITY: Severity = Severity::High;
pub(super) const BY_LOSS: &str = "asked, or denied for what the system needs; silent for what git can bring back, for logs and for temporary files";
pub(super) const STRICT: Verdict = Verdict::Deny;

/// Files without which nobody can log in.
const VITAL: &[&str] = &[
    "/etc/passwd",
    "/etc/shadow",
    "/etc/group",
    "/etc/sudoers",
    "/etc/fstab",
    "/etc/hosts",
    "/etc/ssh/sshd_config",
    "/etc/resolv.conf",
    "/etc/crontab",
    "/etc/profile",
    "/proc/sysrq-trigger",
];

const INSTEAD: &str = "copy the file first, or write to a new one";

pub(super) fn judge(act: &Act, scene: &Scene<'_>) -> Option<Hit> {
    let Effect::Overwrite { target, how } = &act.effect else {
        return None;
    };
    scene.spots(target).into_iter().find_map(|spot| {
        let (zone, path) = match spot {
            Whereabouts::At(zone, path) | Whereabouts::Some(zone, path, _) => (zone, path),
            // A file by its name, in a folder that is not known yet.
            Whereabouts::Unknown
                if *how == How::Truncated
                    && !scene.is_strict()
                    && is_file_name(&target.end, scene) =>
            {
                return None;
            }
            Whereabouts::Unknown => return unknown(*how, &target.shown),
        };
        // Every file that is found in there.
        let all = matches!(target.place, Place::Within { deep: true, .. })
            && matches!(
                zone,
                Zone::Root | Zone::System | Zone::Home | Zone::Belongings
            );
        let verdict = if all {
            Verdict::Deny
        } else {
            verdict(zone, *how, &path, scene)?
        };
        Some(loss::hit(
            verdict,
            format!("it {} {}", verb(*how), loss::path(&path)),
            INSTEAD,
        ))
    })
}

fn verb(how: How) -> &'static str {
    match how {
        How::Written | How::Edited => "overwrites",
        How::Appended => "writes to",
        How::Truncated => "empties",
        How::Shredded => "destroys for good",
        How::Reverted => "puts an earlier version over the changes of",
    }
}

fn unknown(how: How, shown: &str) -> Option<Hit> {
    matches!(how, How::Truncated | How::Shredded).then(|| {
        let shown = bellwether_spine::text::line(shown, 80);
        let reason = format!("it {} `{shown}`, which is unknown", verb(how));
        loss::hit(Verdict::Ask, reason, INSTEAD)
    })
}

fn verdict(zone: Zone, how: How, path: &Path, scene: &Scene<'_>) -> Option<Verdict> {
    let destroys = matches!(how, How::Truncated | How::Shredded);
    if VITAL.iter().any(|vital| Path::new(vital) == path) {
        return Some(Verdict::Deny);
    }
    if how == How::Reverted {
        return reverted(path, scene);
    }
    // Where nothing is, nothing is emptied.
    let destroys = destroys && (scene.is_strict() || scene.is_there(path));
    match (zone, destroys) {
        (Zone::Root | Zone::System | Zone::Home | Zone::Project | Zone::Belongings, true) => {
            Some(Verdict::Deny)
        }
        // A new file there takes nothing away.
        (Zone::Delicate, false) if !scene.is_there(path) && !is_obeyed(path) => None,
        (Zone::Delicate, _) | (Zone::Repository | Zone::Elsewhere, true) => Some(Verdict::Ask),
        (Zone::Belongings, false) => personal(path, how),
        (Zone::Inside, true) => inside(path, how, scene),
        // Writing into a folder writes a new file in it; what is temporary may go.
        _ => None,
    }
}

/// A file whose changes an earlier version replaces.
fn reverted(path: &Path, scene: &Scene<'_>) -> Option<Verdict> {
    if scene.is_strict() {
        return Some(Verdict::Deny);
    }
    let folder = path.parent()?;
    let changes = scene.repository.changes(folder, &[path.to_owned()]);
    changes
        .is_ok_and(|changes| !changes.modified.is_empty())
        .then_some(Verdict::Ask)
}

/// A setting or a key of the person that is overwritten.
fn personal(path: &Path, how: How) -> Option<Verdict> {
    let adds = how == How::Appended && !is_key(path);
    (is_dotfile(path) && !adds).then_some(Verdict::Ask)
}

/// Folders whose every file is obeyed: who may be root, what runs when.
fn is_obeyed(path: &Path) -> bool {
    [
        "/etc/sudoers.d",
        "/etc/cron",
        "/etc/pam.d",
        "/etc/ld.so",
        "/etc/profile.d",
        "/etc/init",
    ]
    .iter()
    .any(|start| path.to_string_lossy().starts_with(start))
}

fn is_dotfile(path: &Path) -> bool {
    path.components()
        .any(|part| part.as_os_str().to_string_lossy().starts_with('.'))
}

fn is_key(path: &Path) -> bool {
    path.components()
        .any(|part| matches!(part.as_os_str().to_str(), Some(".ssh" | ".gnupg" | ".aws")))
}

/// A file of the project that is emptied.
fn inside(path: &Path, how: How, scene: &Scene<'_>) -> Option<Verdict> {
    let project = scene.own_project()?;
    if regenerable::made(path, project) != Made::No {
        return None;
    }
    if scene.is_strict() {
        return Some(Verdict::Deny);
    }
    // A folder stands for all that a search finds in it.
    let lost = match scene.repository.changes(project, &[path.to_owned()]) {
        Ok(changes) => {
            !changes.modified.is_empty()
                || !changes.untracked.is_empty()
                || !changes.ignored.is_empty()
                || how == How::Shredded
        }
        Err(_) => true,
    };
    lost.then_some(Verdict::Ask)
}
