//! Publishing for everybody.

use bellwether_shell::{Act, Effect};
use bellwether_spine::text::shown;

use super::Hit;
use crate::guard::loss;
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};

pub(super) const ID: &str = "publish";
pub(super) const ABOUT: &str = "publishing for everybody";
pub(super) const SEVERITY: Severity = Severity::Medium;
pub(super) const BY_LOSS: &str = "asked: what is published cannot be taken back";
pub(super) const STRICT: Verdict = Verdict::Ask;

pub(super) fn judge(act: &Act, _: &Scene<'_>) -> Option<Hit> {
    let Effect::Publish { what } = &act.effect else {
        return None;
    };
    let reason = format!("it publishes: {}", shown(what, 120));
    Some(loss::hit(
        Verdict::Ask,
        reason,
        "try it with --dry-run and leave the publishing to the person",
    ))
}
