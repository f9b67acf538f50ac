//! What the administrator of a machine says about the guard, where the hook is registered for all of its users.
//!
//! Architecture Invariant: nothing that a user can write makes it milder. A policy that somebody else could have written is
//! none, and without one the defaults count, which guard.

use bellwether_spine::config::{Freshness, Snapshot};
use bellwether_spine::{Managed, SpineError};
use serde::{Deserialize, Serialize};

use crate::guard;

/// The section of the snapshot that holds it.
const SECTION: &str = "policy";
/// What makes a snapshot of a policy that was changed.
pub const COMPILE: &str = "sudo bellwether config compile --managed";

/// What the administrator says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// The guard, as in `config.yaml`. Users can only make it stricter.
    pub guard: guard::Config,
    /// Whether `sudo bellwether guard allow … --managed` lets something through for a while.
    pub temporary_allowances: bool,
    /// Whether permission requests may be answered from a user's page, where the user's `page.answer` asks for that.
    pub page_answers: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            guard: guard::Config::default(),
            temporary_allowances: true,
            page_answers: false,
        }
    }
}

/// How a policy was found.
#[derive(Debug)]
pub enum Found {
    /// As it is written.
    Fresh,
    /// As it was when a snapshot of it was last made.
    Stale,
    /// There is no snapshot, or none that this program understands.
    Missing,
    /// Somebody else could have written it, or it cannot be read.
    Refused(SpineError),
}

impl Found {
    /// What is wrong, and what to do about it.
    pub fn trouble(&self, managed: &Managed) -> Option<String> {
        let policy = managed.policy();
        match self {
            Self::Fresh => None,
            Self::Stale => Some(format!(
                "{} has changed since it was compiled, and the older version is in effect; run: {COMPILE}",
                policy.display()
            )),
            Self::Missing => Some(format!(
                "{} is not compiled, so the defaults are in effect; run: {COMPILE}",
                policy.display()
            )),
            Self::Refused(error) => Some(format!(
                "this machine's policy cannot be used, so the defaults are in effect: {error}"
            )),
        }
    }
}

/// The policy that counts, and how it was found.
pub fn load(managed: &Managed) -> (Policy, Found) {
    let bytes = match managed.read(&managed.snapshot()) {
        Ok(bytes) => bytes.unwrap_or_default(),
        Err(error) => return (Policy::default(), Found::Refused(error)),
    };
    let read = Snapshot::of_bytes(&bytes)
        .and_then(|(snapshot, freshness)| Some((snapshot.section(SECTION)?, freshness)));
    match read {
        Some((policy, Freshness::Fresh)) => (policy, Found::Fresh),
        Some((policy, Freshness::Stale)) => (policy, Found::Stale),
        None => (Policy::default(), Found::Missing),
    }
}

impl Policy {
    /// As the hook reads it. Where it was written is noted, so that a change is seen.
    pub fn snapshot(&self, managed: &Managed) -> Result<Vec<u8>, SpineError> {
        let source = bellwether_spine::config::Source::look(managed.policy());
        let mut snapshot = Snapshot::new(vec![source]);
        snapshot.add(SECTION, self)?;
        snapshot.to_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_counts_until_it_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let managed = Managed::below(folder.path().to_owned());
        assert!(matches!(load(&managed).1, Found::Missing));
        std::fs::create_dir_all(managed.folder()).unwrap();
        std::fs::write(managed.policy(), "guard: {mode: strict}").unwrap();
        let policy = Policy {
            page_answers: true,
            ..Policy::default()
        };
        let bytes = policy.snapshot(&managed).unwrap();
        managed.replace(&managed.snapshot(), &bytes).unwrap();
        let (found, how) = load(&managed);
        assert!(matches!(how, Found::Fresh) && how.trouble(&managed).is_none());
        assert_eq!(found, policy);
        std::fs::write(managed.policy(), "guard: {mode: loss}").unwrap();
        let (found, how) = load(&managed);
        assert!(matches!(how, Found::Stale) && how.trouble(&managed).is_some());
        assert_eq!(found, policy, "the last one counts");
        managed.replace(&managed.snapshot(), b"rubbish").unwrap();
        assert!(matches!(load(&managed).1, Found::Missing));
        managed.replace(&managed.snapshot(), &bytes).unwrap();
        let open = std::os::unix::fs::PermissionsExt::from_mode(0o666);
        std::fs::set_permissions(managed.snapshot(), open).unwrap();
        let (found, how) = load(&managed);
        assert!(matches!(how, Found::Refused(_)) && how.trouble(&managed).is_some());
        assert_eq!(found, Policy::default());
    }
}
