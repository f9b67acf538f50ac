//! bellwether itself is told something that only a person may tell it: to allow, to trust, to stop.

use bellwether_shell::{Act, Effect};

use super::Hit;
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};

pub(in crate::guard) const ID: &str = "own";
pub(super) const ABOUT: &str = "telling bellwether what only a person may tell it";
pub(super) const SEVERITY: Severity = Severity::High;
pub(super) const BY_LOSS: &str = "denied: whoever is guarded does not hold the keys";
pub(super) const STRICT: Verdict = Verdict::Deny;

pub(super) fn judge(act: &Act, _: &Scene<'_>) -> Option<Hit> {
    let Effect::Own { what } = &act.effect else {
        return None;
    };
    Some(Hit {
        verdict: Verdict::Deny,
        reason: format!("{what} is for the person at this machine, not for an agent"),
        lost: None,
        instead: Some("say what you need and why, and let the person decide".to_owned()),
    })
}
