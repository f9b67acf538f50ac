//! Running code that cannot be read before it runs.

use bellwether_shell::{Act, Code, Effect};
use bellwether_spine::text::shown;

use super::Hit;
use crate::guard::loss;
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};

pub(in crate::guard) const ID: &str = "unseen";
pub(super) const ABOUT: &str =
    "running code that cannot be read beforehand, or is too long to check";
pub(in crate::guard) const SEVERITY: Severity = Severity::Medium;
pub(super) const BY_LOSS: &str = "asked";
pub(super) const STRICT: Verdict = Verdict::Ask;

pub(super) fn judge(act: &Act, _: &Scene<'_>) -> Option<Hit> {
    let Effect::Run(code) = &act.effect else {
        return None;
    };
    let (reason, instead) = match code {
        Code::Downloaded(_) => return None,
        Code::Unknown(what) => (
            format!(
                "it runs `{}` as a command, and its value is unknown until it runs",
                shown(what, 80)
            ),
            "write the command out instead of taking it from a variable or a pipe",
        ),
        Code::Unreadable(why) => (
            format!(
                "it runs a file that bellwether cannot check: {}",
                shown(why, 120)
            ),
            "run a script of ordinary size that can be read, or the commands one by one",
        ),
        Code::Beyond(why) => (shown(why, 120).clone(), "do it in several shorter commands"),
    };
    Some(loss::hit(Verdict::Ask, reason, instead))
}
