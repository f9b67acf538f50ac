//! Running what comes straight from the network.

use bellwether_shell::{Act, Code, Effect};
use bellwether_spine::text::shown;

use super::Hit;
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};

pub(super) const ID: &str = "download";
pub(super) const ABOUT: &str = "running code straight from the network";
pub(super) const SEVERITY: Severity = Severity::High;
pub(super) const BY_LOSS: &str = "denied: nobody has seen what it does";
pub(super) const STRICT: Verdict = Verdict::Deny;

pub(super) fn judge(act: &Act, _: &Scene<'_>) -> Option<Hit> {
    let Effect::Run(Code::Downloaded(from)) = &act.effect else {
        return None;
    };
    Some(Hit {
        verdict: Verdict::Deny,
        reason: format!("it runs what {} sends, unseen", shown(from, 100)),
        lost: Some("whatever this account can change".to_owned()),
        instead: Some(
            "download it to a file, read it, and run that file in a second command".to_owned(),
        ),
    })
}
