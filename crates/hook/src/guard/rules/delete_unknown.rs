//! Deleting something unknown.

use bellwether_shell::{Act, Effect};
use bellwether_spine::text::line;

use super::Hit;
use crate::guard::loss;
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};
use crate::guard::zone::Whereabouts;

pub(super) const ID: &str = "delete-unknown";
pub(super) const ABOUT: &str = "deleting or emptying something unknown";
pub(super) const SEVERITY: Severity = Severity::High;
pub(super) const BY_LOSS: &str = "asked, with what could be resolved";
pub(super) const STRICT: Verdict = Verdict::Deny;

pub(super) fn judge(act: &Act, scene: &Scene<'_>) -> Option<Hit> {
    let (Effect::Delete { targets, .. } | Effect::Move { from: targets, .. }) = &act.effect else {
        return None;
    };
    let unknown = targets
        .iter()
        .find(|target| scene.spots(target).contains(&Whereabouts::Unknown))?;
    let verb = match act.effect {
        Effect::Delete { .. } => "deletes",
        _ => "moves",
    };
    let verdict = match (scene.is_strict(), &act.effect) {
        (true, _) => Verdict::Deny,
        (false, Effect::Delete { .. }) => Verdict::Ask,
        // Moving keeps what it moves.
        (false, _) => return None,
    };
    Some(loss::hit(
        verdict,
        format!(
            "it {verb} `{}`, whose value is unknown until it runs; if that is empty or a parent folder, much more would go",
            line(&unknown.shown, 80)
        ),
        "write the full path out, or print it first and delete it by that name in a second command",
    ))
}
