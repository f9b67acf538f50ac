//! Stopping the machine, ending everybody's processes, removing accounts.

use bellwether_shell::{Act, Effect};
use bellwether_spine::text::shown;

use super::Hit;
use crate::guard::loss;
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};

pub(super) const ID: &str = "system";
pub(super) const ABOUT: &str =
    "stopping the machine, ending everybody's processes, removing accounts";
pub(super) const SEVERITY: Severity = Severity::High;
pub(super) const BY_LOSS: &str = "asked";
pub(super) const STRICT: Verdict = Verdict::Ask;

pub(super) fn judge(act: &Act, _: &Scene<'_>) -> Option<Hit> {
    let Effect::System { what } = &act.effect else {
        return None;
    };
    let reason = format!("it changes this machine as a whole: {}", shown(what, 120));
    Some(loss::hit(
        Verdict::Ask,
        reason,
        "stop only what this task has started, by its process id",
    ))
}
