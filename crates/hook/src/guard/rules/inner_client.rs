//! A client that is started inside this one, and told to do without what guards it.

use bellwether_shell::{Act, Effect};
use bellwether_spine::text::shown;

use super::Hit;
use crate::guard::loss;
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};

pub(in crate::guard) const ID: &str = "inner-client";
pub(super) const ABOUT: &str =
    "starting a client without the hooks, settings or questions of this one";
pub(super) const SEVERITY: Severity = Severity::High;
pub(super) const BY_LOSS: &str =
    "asked, with what would be off; a plain call of the same client is free";
pub(super) const STRICT: Verdict = Verdict::Ask;

pub(super) fn judge(act: &Act, _: &Scene<'_>) -> Option<Hit> {
    let Effect::Client { without } = &act.effect else {
        return None;
    };
    Some(loss::hit(
        Verdict::Ask,
        format!("it starts a client without {}", shown(without, 120)),
        "start the client with its usual settings, or do the work here",
    ))
}
