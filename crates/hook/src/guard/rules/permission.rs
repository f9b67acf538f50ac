//! Changing who may do what, where that breaks a machine or opens it to everybody.

use bellwether_shell::{Act, Effect, Reach};
use bellwether_spine::text::line;

use super::Hit;
use crate::guard::loss;
use crate::guard::regenerable::{Made, made};
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};
use crate::guard::zone::{Whereabouts, Zone};

pub(super) const ID: &str = "permission";
pub(super) const ABOUT: &str =
    "changing permissions or owners of the system, a home or everything at once";
pub(super) const SEVERITY: Severity = Severity::Critical;
pub(super) const BY_LOSS: &str = "denied for the system and homes; asked when a whole folder becomes open to everybody or to nobody; silent for single files of the project";
pub(super) const STRICT: Verdict = Verdict::Deny;

const INSTEAD: &str = "name the one file that needs it: `chmod +x script.sh`, `chmod u+w file`";

pub(super) fn judge(act: &Act, scene: &Scene<'_>) -> Option<Hit> {
    let Effect::Permission {
        targets,
        reach,
        what,
    } = &act.effect
    else {
        return None;
    };
    targets
        .iter()
        .flat_map(|target| scene.spots(target))
        .find_map(|spot| {
            let (verdict, whose) = match &spot {
                Whereabouts::At(zone, path) | Whereabouts::Some(zone, path, _) => {
                    let made = scene
                        .own_project()
                        .is_some_and(|project| made(path, project) != Made::No);
                    (!made || *zone != Zone::Inside).then_some(())?;
                    (verdict(*zone, *reach, what)?, loss::path(path))
                }
                Whereabouts::Unknown => {
                    let risky = *reach == Reach::Trees;
                    (
                        risky.then_some(Verdict::Ask)?,
                        "something unknown".to_owned(),
                    )
                }
            };
            let what = line(what, 40);
            Some(loss::hit(
                verdict,
                format!("it gives {whose} the permissions or owner `{what}`"),
                INSTEAD,
            ))
        })
}

fn verdict(zone: Zone, reach: Reach, what: &str) -> Option<Verdict> {
    let extreme = is_extreme(what);
    match (zone, reach) {
        (Zone::Root | Zone::System | Zone::Home | Zone::Belongings, Reach::Trees) => {
            Some(Verdict::Deny)
        }
        (Zone::Root | Zone::System | Zone::Home, Reach::Entries) => {
            Some(if extreme { Verdict::Deny } else { Verdict::Ask })
        }
        (Zone::Belongings, Reach::Entries) => extreme.then_some(Verdict::Ask),
        (Zone::Delicate, Reach::Entries) if only_lets_run(what) => None,
        (Zone::Delicate | Zone::Repository, _) => Some(Verdict::Ask),
        (Zone::Project | Zone::Inside | Zone::Elsewhere, Reach::Trees) => {
            extreme.then_some(Verdict::Ask)
        }
        _ => None,
    }
}

/// What every program has: its owner may change it, everybody may run and read it.
fn only_lets_run(what: &str) -> bool {
    let bare = what.trim_start_matches('0');
    ["755", "555", "644", "444", "711", "700", "750"].contains(&bare)
        || [
            "+x", "a+x", "u+x", "ug+x", "+rx", "a+rx", "a+r", "+r", "u+rwx", "u+rx",
        ]
        .contains(&what)
}

/// Open to everybody, or to nobody.
fn is_extreme(what: &str) -> bool {
    let octal = what.trim_start_matches('0');
    let number = !what.is_empty() && what.chars().all(|c| c.is_digit(8));
    if number {
        return octal.is_empty() || octal.ends_with(['2', '3', '6', '7']) || octal.len() < 3;
    }
    [
        "a+w", "o+w", "+w,o", "ugo+w", "a+rwx", "o+rwx", "a=rwx", "ugo+rwx", "a-rwx", "a-w", "a-r",
        "u-rwx", "a=", "o=rwx", "go+w",
    ]
    .iter()
    .any(|mode| what.contains(mode))
        || what.starts_with("nobody")
}
