//! Silence that the person asks for: everywhere or in a project, for a while or for ever. It is kept
//! in a file of its own, so that it outlives the daemon.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bellwether_spine::{Home, place};
use serde::{Deserialize, Serialize};

use crate::AnnounceError;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mutes {
    everywhere: Option<Mute>,
    projects: BTreeMap<PathBuf, Mute>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mute {
    /// When it ends, in milliseconds since 1970; never when missing.
    pub until_ms: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Muted {
    /// When it ends; never when missing.
    pub until_ms: Option<u64>,
    /// The project that it is for; everywhere when missing.
    pub project: Option<PathBuf>,
}

impl Mutes {
    /// Those that are kept. A file that cannot be read silences nothing.
    pub fn load(home: &Home) -> Self {
        let text = std::fs::read(home.mutes()).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Keeps them, whole or not at all.
    pub fn save(&self, home: &Home) -> Result<(), AnnounceError> {
        let text = serde_json::to_vec(self).unwrap_or_default();
        Ok(place::replace_private(&home.mutes(), &text)?)
    }

    /// Mutes a project, or everything.
    pub fn mute(&mut self, project: Option<&Path>, until_ms: Option<u64>) {
        let mute = Mute { until_ms };
        match project {
            Some(project) => drop(self.projects.insert(project.to_owned(), mute)),
            None => self.everywhere = Some(mute),
        }
    }

    /// Lifts the mute of a project, or every mute; false when there was none.
    pub fn unmute(&mut self, project: Option<&Path>) -> bool {
        match project {
            Some(project) => self.projects.remove(project).is_some(),
            None => std::mem::take(self) != Self::default(),
        }
    }

    /// Forgets what has ended.
    pub fn tidy(&mut self, now_ms: u64) {
        self.everywhere = self.everywhere.filter(|mute| mute.counts(now_ms));
        self.projects.retain(|_, mute| mute.counts(now_ms));
    }

    /// The mute that counts for a project, if any.
    pub fn of(&self, project: Option<&Path>, now_ms: u64) -> Option<Muted> {
        self.all(now_ms).find(|muted| match &muted.project {
            Some(folder) => project.is_some_and(|project| project.starts_with(folder)),
            None => true,
        })
    }

    pub fn all(&self, now_ms: u64) -> impl Iterator<Item = Muted> {
        let everywhere = self.everywhere.iter().map(|mute| (None, mute));
        let projects = self
            .projects
            .iter()
            .map(|(folder, mute)| (Some(folder.clone()), mute));
        everywhere
            .chain(projects)
            .filter(move |(_, mute)| mute.counts(now_ms))
            .map(|(project, mute)| Muted {
                until_ms: mute.until_ms,
                project,
            })
    }
}

impl Mute {
    fn counts(self, now_ms: u64) -> bool {
        self.until_ms.is_none_or(|until| now_ms < until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mute_counts_where_and_as_long_as_it_was_said() {
        let mut mutes = Mutes::default();
        let project = Path::new("/p/shop");
        mutes.mute(Some(project), Some(100));
        assert!(mutes.of(Some(project), 99).is_some());
        assert!(mutes.of(Some(Path::new("/p/shop/web")), 99).is_some());
        assert!(mutes.of(Some(Path::new("/p/shopping")), 99).is_none());
        assert!(mutes.of(None, 99).is_none() && mutes.of(Some(project), 100).is_none());
        mutes.mute(None, None);
        assert!(
            mutes
                .of(None, u64::MAX)
                .is_some_and(|muted| muted.until_ms.is_none())
        );
        mutes.tidy(100);
        assert_eq!(mutes.all(0).count(), 1);
        assert!(mutes.unmute(None) && !mutes.unmute(None));
    }

    #[test]
    fn mutes_are_kept_for_their_owner_alone() {
        use std::os::unix::fs::MetadataExt as _;
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        assert_eq!(Mutes::load(&home), Mutes::default());
        let mut mutes = Mutes::default();
        mutes.mute(None, Some(7));
        mutes.save(&home).unwrap();
        assert_eq!(Mutes::load(&home), mutes);
        assert_eq!(home.mutes().metadata().unwrap().mode() & 0o777, 0o600);
        std::fs::write(home.mutes(), "rubbish").unwrap();
        assert_eq!(Mutes::load(&home), Mutes::default());
    }
}
