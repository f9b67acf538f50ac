//! The checks of one commit.

use std::collections::BTreeSet;
use std::path::Path;

use super::configured::configured;
use super::kinds::{ALL, Kind};
use super::{Found, Place, Scene};

/// In so many folders each kind of checks is looked for, where the root has none.
const FOLDERS: usize = 8;

/// What applies to a commit.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) found: Vec<Found>,
    /// What a person should know about it.
    pub(crate) notes: Vec<String>,
}

impl Plan {
    pub(crate) fn of(scene: Scene<'_>) -> Self {
        let mut plan = Self::default();
        if scene.config.detect {
            for kind in ALL {
                plan.look_for(kind, scene);
            }
        }
        let skip = &scene.config.skip;
        plan.found.retain(|found| {
            !skip
                .iter()
                .any(|name| name == found.base() || name == found.name())
        });
        for ours in configured(scene) {
            plan.found.retain(|found| found.base() != ours.name());
            plan.found.push(ours);
        }
        plan
    }

    fn look_for(&mut self, kind: &Kind, scene: Scene<'_>) {
        let folders = folders(kind, scene);
        if folders.len() > FOLDERS {
            let note = format!(
                "the commit changes {} folders with {}; only the first {FOLDERS} are checked",
                folders.len(),
                kind.manifests.first().copied().unwrap_or_default()
            );
            self.notes.push(note);
        }
        for folder in folders.into_iter().take(FOLDERS) {
            self.found.extend((kind.find)(Place { scene, folder }));
        }
    }
}

/// Where a kind of checks applies: in the project's folder, else in the nearest folders with a manifest above the files
/// that the commit changes.
fn folders<'a>(kind: &Kind, scene: Scene<'a>) -> BTreeSet<&'a Path> {
    let applies = |folder: &Path| {
        let place = Place { scene, folder };
        kind.manifests.is_empty() || kind.manifests.iter().any(|name| place.has(name))
    };
    if applies(scene.base) {
        return BTreeSet::from([scene.base]);
    }
    let nearest = |file: &'a str| {
        let above = Path::new(file).ancestors().skip(1);
        let mut inside = above.take_while(|folder| folder.starts_with(scene.base));
        inside.find(|folder| applies(folder))
    };
    scene.within(scene.changed).filter_map(nearest).collect()
}
