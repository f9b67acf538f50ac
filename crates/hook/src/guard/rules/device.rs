//! Writing over disks.

use bellwether_shell::{Act, Effect};
use bellwether_spine::text::line;

use super::Hit;
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};

pub(super) const ID: &str = "device";
pub(super) const ABOUT: &str = "writing to disks, partitions and volumes as a whole";
pub(super) const SEVERITY: Severity = Severity::Critical;
pub(super) const BY_LOSS: &str = "denied";
pub(super) const STRICT: Verdict = Verdict::Deny;

pub(super) fn judge(act: &Act, _: &Scene<'_>) -> Option<Hit> {
    let Effect::Device { device, how } = &act.effect else {
        return None;
    };
    Some(Hit {
        verdict: Verdict::Deny,
        reason: format!(
            "`{}` writes over {} as a whole",
            line(how, 30),
            line(device, 60)
        ),
        lost: Some("every file on that device".to_owned()),
        instead: Some(
            "work on an image file: `truncate -s 1G disk.img`, then `mkfs.ext4 disk.img`"
                .to_owned(),
        ),
    })
}
