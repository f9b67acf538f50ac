//! Deleting outside the project: other work, which this task has no business with.

use bellwether_shell::{Act, Effect, Reach};

use super::Hit;
use crate::guard::loss;
use crate::guard::regenerable::is_junk;
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};
use crate::guard::zone::{Whereabouts, Zone};

pub(super) const ID: &str = "delete-elsewhere";
pub(super) const ABOUT: &str = "deleting outside the project";
pub(super) const SEVERITY: Severity = Severity::High;
pub(super) const BY_LOSS: &str =
    "asked; silent below the folders for temporary files and in caches";
pub(super) const STRICT: Verdict = Verdict::Deny;

pub(super) fn judge(act: &Act, scene: &Scene<'_>) -> Option<Hit> {
    let Effect::Delete { targets, reach } = &act.effect else {
        return None;
    };
    let path = targets
        .iter()
        .flat_map(|target| scene.spots(target))
        .find_map(|spot| match spot {
            Whereabouts::At(zone, path) => {
                // A single file that is not there takes nothing with it.
                let gone = *reach == Reach::Entries && !scene.is_there(&path);
                (is_outside(zone, *reach, scene) && !gone).then_some(path)
            }
            // What only tools write nobody misses, wherever it is.
            Whereabouts::Some(Zone::Elsewhere, _, filter)
                if filter.patterns.iter().all(|pattern| is_junk(pattern)) =>
            {
                None
            }
            // Some of what is in the whole machine, or in a whole home.
            Whereabouts::Some(zone, path, _) => (is_outside(zone, *reach, scene)
                || matches!(
                    zone,
                    Zone::Root | Zone::System | Zone::Home | Zone::Belongings
                ))
            .then_some(path),
            Whereabouts::Unknown => None,
        })?;
    let verdict = if scene.is_strict() && *reach == Reach::Trees {
        Verdict::Deny
    } else {
        Verdict::Ask
    };
    Some(loss::hit(
        verdict,
        format!(
            "it deletes in {}, which is outside the project",
            loss::path(&path)
        ),
        "delete only what this task has made, by its full path inside the project",
    ))
}

fn is_outside(zone: Zone, reach: Reach, scene: &Scene<'_>) -> bool {
    match zone {
        Zone::Elsewhere | Zone::Delicate | Zone::TemporaryRoot => true,
        // A tree of these is denied by another rule.
        Zone::Belongings => reach == Reach::Entries,
        // Without a project everything is outside.
        Zone::Inside => scene.own_project().is_none(),
        _ => false,
    }
}
