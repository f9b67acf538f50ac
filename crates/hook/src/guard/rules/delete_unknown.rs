//! Deleting something unknown.

use std::path::Path;

use bellwether_shell::{Act, DISCARDED, Effect, Reach};
use bellwether_spine::text::line;

use super::Hit;
use crate::guard::loss;
use crate::guard::regenerable::is_junk;
use crate::guard::scene::Scene;
use crate::guard::verdict::{Severity, Verdict};
use crate::guard::zone::{Whereabouts, Zone};

pub(super) const ID: &str = "delete-unknown";
pub(super) const ABOUT: &str = "deleting or emptying something unknown";
pub(super) const SEVERITY: Severity = Severity::High;
pub(super) const BY_LOSS: &str = "asked, with what could be resolved";
pub(super) const STRICT: Verdict = Verdict::Deny;

/// Whether the known end of a target is the name of a file, also where all before it turns out to be empty.
pub(super) fn is_file_name(end: &str, scene: &Scene<'_>) -> bool {
    let name = end.rsplit('/').next().unwrap_or(end);
    let zone = scene.zone(Path::new(end));
    let matters =
        end.starts_with('/') && !matches!(zone, Zone::Elsewhere | Zone::Temporary | Zone::Cache);
    name.chars().filter(|c| c.is_alphanumeric()).count() > 1 && !matters
}

/// Whether the known end of a target says enough, wherever it is: one file by its name, or a folder that only tools write.
fn is_named(end: &str, effect: &Effect, scene: &Scene<'_>) -> bool {
    let name = end.rsplit('/').next().unwrap_or(end);
    let is_file = matches!(
        effect,
        Effect::Delete {
            reach: Reach::Entries,
            ..
        }
    );
    if is_file {
        return is_file_name(end, scene);
    }
    // An empty variable makes `/tmp` of `$X/tmp`.
    end.starts_with('/') && name != "tmp" && name != "temp" && is_junk(name)
}

pub(super) fn judge(act: &Act, scene: &Scene<'_>) -> Option<Hit> {
    let (Effect::Delete { targets, .. } | Effect::Move { from: targets, .. }) = &act.effect else {
        return None;
    };
    let unknown = targets.iter().find(|target| {
        scene.spots(target).contains(&Whereabouts::Unknown)
            && (scene.is_strict() || !is_named(&target.end, &act.effect, scene))
    })?;
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
    if let Some(call) = unknown.shown.strip_prefix(DISCARDED) {
        return Some(loss::hit(
            verdict,
            format!(
                "`{}` throws work away, and how much cannot be told beforehand",
                line(call, 80)
            ),
            "show first what would go (status, diff), and keep a copy of it",
        ));
    }
    Some(loss::hit(
        verdict,
        format!(
            "it {verb} `{}`, whose value is unknown until it runs; if that is empty or a parent folder, much more would go",
            line(&unknown.shown, 80)
        ),
        "write the full path out, or print it first and delete it by that name in a second command",
    ))
}
