//! A process that copies itself until nothing else runs.

use bellwether_shell::{Act, Effect};

use super::Hit;
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};

pub(super) const ID: &str = "bomb";
pub(super) const ABOUT: &str = "fork bombs";
pub(super) const SEVERITY: Severity = Severity::Critical;
pub(super) const BY_LOSS: &str = "denied: the machine would stop answering";
pub(super) const STRICT: Verdict = Verdict::Deny;

pub(super) fn judge(act: &Act, _: &Scene<'_>) -> Option<Hit> {
    matches!(act.effect, Effect::Bomb).then(|| Hit {
        verdict: Verdict::Deny,
        reason: "it starts copies of itself without end, and the machine would stop answering"
            .to_owned(),
        lost: Some("whatever is unsaved on this machine".to_owned()),
        instead: Some("start a fixed number of processes and `wait` for them".to_owned()),
    })
}
