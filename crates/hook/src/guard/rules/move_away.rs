//! Moving away what must stay where it is.

use std::path::Path;

use bellwether_shell::{Act, Effect, Place};

use super::Hit;
use crate::guard::loss;
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};
use crate::guard::zone::{Whereabouts, Zone};

pub(super) const ID: &str = "move-away";
pub(super) const ABOUT: &str =
    "moving a home, the system, the project or a repository's history away";
pub(super) const SEVERITY: Severity = Severity::Critical;
pub(super) const BY_LOSS: &str =
    "denied; asked for other folders of the person, and when something is moved where it is lost";
pub(super) const STRICT: Verdict = Verdict::Deny;

pub(super) fn judge(act: &Act, scene: &Scene<'_>) -> Option<Hit> {
    let Effect::Move { from, to } = &act.effect else {
        return None;
    };
    let swallowed = to.shown == "/dev/null";
    let cleaned = ["/tmp", "/var/tmp", "/dev/shm"];
    let is_cleaned =
        matches!(&to.place, Place::At(to) if cleaned.iter().any(|path| to == Path::new(path)));
    // What is in there is gone with the next start of the machine.
    let fades = is_cleaned
        || scene.spots(to).iter().any(|spot| {
            matches!(
                spot,
                Whereabouts::At(Zone::Temporary | Zone::TemporaryRoot, _)
            )
        });
    from.iter()
        .flat_map(|target| scene.spots(target))
        .find_map(|spot| {
            let (zone, path) = match spot {
                Whereabouts::At(zone, path) | Whereabouts::Some(zone, path, _) => (zone, path),
                Whereabouts::Unknown => return None,
            };
            if fades
                && zone == Zone::Inside
                && scene.is_folder(&path)
                && let Some(lost) = super::delete_work::only_copy(&path, scene)
            {
                return Some(Hit {
                    lost: Some(lost),
                    ..loss::hit(
                        Verdict::Ask,
                        format!(
                            "it moves {} where things are cleaned away",
                            loss::path(&path)
                        ),
                        "copy it with `cp -r`, or move it within the project",
                    )
                });
            }
            let fades = fades && zone == Zone::Elsewhere && scene.is_folder(&path);
            let verdict = verdict(zone, swallowed, scene);
            let verdict = verdict.or(fades.then_some(Verdict::Ask))?;
            Some(loss::hit(
                verdict,
                format!("it moves {} away", loss::path(&path)),
                "copy what is needed with `cp -r`, and leave the original where it is",
            ))
        })
}

fn verdict(zone: Zone, swallowed: bool, scene: &Scene<'_>) -> Option<Verdict> {
    match zone {
        Zone::Root
        | Zone::System
        | Zone::Home
        | Zone::Project
        | Zone::Repository
        | Zone::Belongings => Some(Verdict::Deny),
        Zone::Delicate => Some(Verdict::Ask),
        _ if swallowed => Some(Verdict::Deny),
        Zone::Elsewhere if scene.is_strict() => Some(Verdict::Ask),
        _ => None,
    }
}
