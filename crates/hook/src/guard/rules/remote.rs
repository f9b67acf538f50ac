//! Destroying something elsewhere: databases, buckets, clusters, repositories.

use bellwether_shell::{Act, Effect};
use bellwether_spine::text::shown;

use super::Hit;
use crate::guard::loss;
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};

pub(super) const ID: &str = "remote";
pub(super) const ABOUT: &str =
    "destroying something elsewhere: databases, buckets, clusters, repositories";
pub(super) const SEVERITY: Severity = Severity::High;
pub(super) const BY_LOSS: &str = "asked";
pub(super) const STRICT: Verdict = Verdict::Ask;

pub(super) fn judge(act: &Act, _: &Scene<'_>) -> Option<Hit> {
    let Effect::Remote { what } = &act.effect else {
        return None;
    };
    let reason = format!(
        "it destroys something that is not on this machine: {}",
        shown(what, 120)
    );
    Some(loss::hit(
        Verdict::Ask,
        reason,
        "show first what would go (plan, list, --dry-run) and leave the rest to the person",
    ))
}
